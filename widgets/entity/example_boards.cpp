#include "widgets/entity/example_boards.h"

#include "core/run/jobs/environments.h"

namespace orrery {

const ExampleBoards& exampleBoards() {
    static const ExampleBoards kBoards{
        .environment = "MineSweeper",
        .options = R"({"width": 3, "height": 3, "original": true})",
        .states = {R"({"mines": [[0, 2], [0, 1], [2, 2], [0, 0], [1, 0]], "robots": [[1, 1]],)"
                   R"( "orbital_cannon": false, "orbital_cannon_cooldown": 5})",
                   R"({"mines": [[2, 1]], "robots": [[2, 0]],)"
                   R"( "orbital_cannon": true, "orbital_cannon_cooldown": 0})",
                   R"({"mines": [[1, 0], [0, 1], [2, 2]], "robots": [[0, 0], [2, 0]],)"
                   R"( "orbital_cannon": false, "orbital_cannon_cooldown": 5})"}};
    return kBoards;
}

const std::vector<Picture>& exampleBoardPictures() {
    static const std::vector<Picture> kPictures = [] {
        const ExampleBoards& boards = exampleBoards();
        const auto environment =
            environmentNamed(knownEnvironments(), boards.environment).make(boards.options);
        std::vector<Picture> pictures;
        for (const std::string& state : boards.states) {
            Observation seen;
            environment->setState(state, seen);
            pictures.push_back(environment->picture({}));
        }
        return pictures;
    }();
    return kPictures;
}

}  // namespace orrery
