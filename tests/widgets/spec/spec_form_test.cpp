#include "widgets/spec/spec_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "core/run/run_kind.h"
#include "core/spec/field_parts.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

enum class Colour { Red, Green };

/// Settings with a field of each type, a twin, a need and a rule for two together.
struct SmallJob {
    double rate = 0.5;
    bool isNoisy = false;
    double noise = 0.1;
    std::optional<double> gamma = 0.9, rho = {};
    std::string word = {};
    std::int64_t count = 3;
    Colour colour = Colour::Red;
    std::vector<double> weights = {0.5, 1};
    bool operator==(const SmallJob&) const = default;
};

const SpecTable<SmallJob>& smallFields() {
    using enum NumberLimit;
    static const SpecTable<SmallJob> kTable = [] {
        SpecTable<SmallJob> table;
        table.add(numberField("rate", "Rate", Unit, "How much."), &SmallJob::rate);
        table.add(flagField("noisy", "Noisy", false, "Whether at random."), &SmallJob::isNoisy);
        table.add(needs({fieldIs("noisy", {"true"})}, "noisy is off",
                        numberField("noise", "Noise", AboveZero, "How much at random.")),
                  &SmallJob::noise);
        SpecField gamma = symbol(numberField("gamma_r", "Discount", UnitOpenAtZero, "A factor."));
        gamma.twin = "rho_r";
        gamma.isOptional = true;
        SpecRow<SmallJob> row{
            std::move(gamma),
            [](const SmallJob& job) { return job.gamma ? FieldValue(*job.gamma) : FieldValue(); },
            [](SmallJob& job, const FieldValue& value) {
                const auto* number = std::get_if<double>(&value.tree());
                job.gamma = number == nullptr ? std::nullopt : std::optional(*number);
                if (number != nullptr) job.rho.reset();
            }};
        table.add(std::move(row));
        table.add(numberField("rho_r", "Rate of discount", AboveZero, "The same."), &SmallJob::rho);
        table.add(textField("word", "Word", false, "A text."), &SmallJob::word);
        table.add(countField("count", "Count", "", 1, 9, "A whole number."), &SmallJob::count);
        table.add(choiceField("colour", "Colour", {"red", "green"}, "One of them."),
                  &SmallJob::colour);
        table.add(listField(numberField("weights", "Weights", Unit, "Some."), 1, 0),
                  &SmallJob::weights);
        return table;
    }();
    return kTable;
}

std::vector<SpecProblem> smallProblems(const Job& job) {
    const auto& small = job.as<SmallJob>();
    if (small.rate == 1 && small.count == 9) return {{"count", "must be below 9 at that rate"}};
    return {};
}

const RunKind& smallKind() {
    static const SpecTable<RunSpec> kFields = fieldsOfJob(smallFields());
    static const std::vector<SpecPreset> kPresets = {
        presetFrom("plain", "As it is.", smallFields(), SmallJob()),
        presetFrom("loud", "At random.", smallFields(), SmallJob{.isNoisy = true, .noise = 2})};
    static const RunKind kKind{
        .name = "small",
        .noun = "test",
        .settings = typeid(SmallJob),
        .fresh = [] { return Job(SmallJob()); },
        .fields = kFields.rows(),
        .presets = kPresets,
        .problems = smallProblems,
        .takeSeed = [](Job&, std::uint64_t) {},
        .worlds = [](const Job&) { return std::vector<WorldRef>(); },
        .takeWorlds = [](Job&, const std::vector<WorldRef>&) {},
        .describe = [](const RunSpec&) { return std::vector<std::string>(); },
        .addFacts = [](const nlohmann::ordered_json&, RunFacts&) {}};
    return kKind;
}

}  // namespace

/// The form of rows by itself, on a table of a few fields.
class SpecFormTest : public QObject {
    Q_OBJECT

    RunSpec m_spec;
    std::unique_ptr<SpecForm> m_form;

    const SmallJob& job() const { return m_spec.job.as<SmallJob>(); }
    template <typename T = QWidget>
    T* editor(const char* field) {
        T* found = qobject_cast<T*>(m_form->editor(QLatin1String(field)));
        if (!found) qFatal("no editor of %s", field);
        return found;
    }
    void type(const char* field, const char* text) {
        auto* line = editor<QLineEdit>(field);
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, QLatin1String(text));
    }
    static bool isMarked(const QWidget* editor) { return editor->property("changed").toBool(); }
    QLabel* hint(const char* field) {
        return m_form->findChild<QLabel*>(QStringLiteral("small_hint_") + QLatin1String(field));
    }

private Q_SLOTS:
    void initTestCase() { useKinds({&smallKind()}); }
    void init() {
        m_spec = RunSpec{.job = SmallJob()};
        m_form = std::make_unique<SpecForm>(m_spec,
                                            SpecFormLook{.fields = QStringLiteral("small_"),
                                                         .parts = QStringLiteral("small"),
                                                         .hasSymbols = true},
                                            nullptr);
        m_form->addPreset();
        m_form->addFirstFields();
        m_form->addOptions({});
        connect(m_form.get(), &SpecForm::changed, m_form.get(), &SpecForm::refresh);
        m_form->refresh();
        m_form->show();
    }
    void cleanup() { m_form.reset(); }

    void eachTypeHasAnEditorThatSetsItsField() {
        type("rate", "0.25");
        QCOMPARE(job().rate, 0.25);
        editor<QCheckBox>("noisy")->click();
        QVERIFY(job().isNoisy);
        type("word", "a word");
        QCOMPARE(job().word, std::string("a word"));
        type("count", "4");
        QCOMPARE(job().count, std::int64_t{4});
        editor<QComboBox>("colour")->setCurrentText(QStringLiteral("green"));
        QCOMPARE(job().colour, Colour::Green);
        type("weights", "[0.25, 1]");
        QCOMPARE(job().weights, (std::vector<double>{0.25, 1}));
        type("rho_r", "0.2");
        QCOMPARE(job().rho, std::optional(0.2));
        type("rho_r", "");
        QVERIFY(!job().rho);
        QVERIFY(m_form->isValid());
    }

    void aRowSaysWhatItsFieldIs() {
        QCOMPARE(editor("rate")->objectName(), QStringLiteral("small_rate"));
        QCOMPARE(editor("rate")->accessibleName(), QStringLiteral("Rate"));
        QVERIFY(editor("rate")->toolTip().startsWith("Rate (") &&
                editor("rate")->toolTip().endsWith("How much."));
        const auto labels = m_form->findChildren<QLabel*>();
        const auto nameOf = [&](const char* field) {
            for (const QLabel* label : labels)
                if (label->buddy() == editor(field)) return label->text();
            return QString();
        };
        QCOMPARE(nameOf("rate"), QStringLiteral("Rate"));
        QCOMPARE(nameOf("gamma_r"), QStringLiteral("γ<sub>r</sub>"));
    }

    void whatDiffersFromItsDefaultIsMarked() {
        QVERIFY(!isMarked(editor("rate")) && !isMarked(editor("noisy")));
        type("rate", "0.25");
        QVERIFY(isMarked(editor("rate")));
        editor<QCheckBox>("noisy")->click();
        QVERIFY(isMarked(editor("noisy")));
        type("rate", "0.50");
        QVERIFY(!isMarked(editor("rate")));
    }

    void aFieldWithoutAnEffectIsGreyAndSaysWhy() {
        auto* noise = editor<QLineEdit>("noise");
        QVERIFY(!noise->isEnabled());
        QVERIFY(noise->toolTip().startsWith("No effect: noisy is off.\nNoise ("));
        editor<QCheckBox>("noisy")->click();
        QVERIFY(noise->isEnabled() && noise->toolTip().startsWith("Noise ("));
        type("noise", "-1");
        editor<QCheckBox>("noisy")->click();
        QVERIFY(noise->isEnabled());  // to be mended
        type("noise", "1");
        QVERIFY(!noise->isEnabled());
    }

    void aWrongTextHasOneLineThatSaysWhyAndChangesNothing() {
        QSignalSpy changed(m_form.get(), &SpecForm::changed);
        QVERIFY(hint("rate") == nullptr);
        type("rate", "2");
        QCOMPARE(job().rate, 0.5);
        QVERIFY(!m_form->isValid() && !changed.isEmpty());
        QVERIFY(hint("rate")->isVisible());
        QCOMPARE(hint("rate")->text(), m_form->problem());
        QVERIFY2(
            m_form->problem().startsWith("rate must be") && m_form->problem().endsWith("got '2'"),
            qPrintable(m_form->problem()));
        QVERIFY(editor("rate")->property("invalid").toBool());
        type("rate", "1");
        QVERIFY(m_form->isValid() && !hint("rate")->isVisible());
    }

    void whatOnlyTogetherIsWrongIsSaidToo() {
        type("rate", "1");
        type("count", "9");
        QVERIFY(!m_form->isValid());
        QCOMPARE(m_form->problem(), QStringLiteral("count must be below 9 at that rate"));
        // Its row is under More options.
        QCOMPARE(m_form->problemsOutOfView(), QStringList(m_form->problem()));
        m_form->showField(QStringLiteral("count"));
        QVERIFY(hint("count")->isVisible());
        QVERIFY(m_form->problemsOutOfView().isEmpty());
        type("count", "8");
        QVERIFY(m_form->isValid());
    }

    void settingAFieldShowsWhatItsTwinBecomes() {
        m_spec.job = SmallJob{.gamma = std::nullopt, .rho = 0.2};
        m_form->showValues();
        m_form->refresh();
        QCOMPARE(editor<QLineEdit>("rho_r")->text(), QStringLiteral("0.2"));
        type("rate", "0.10");
        type("gamma_r", "0.5");
        QVERIFY(editor<QLineEdit>("rho_r")->text().isEmpty());
        QCOMPARE(editor<QLineEdit>("rate")->text(), QStringLiteral("0.10"));  // as it was typed
    }

    void aPresetFillsItsFieldsAndIsNamedAsLongAsTheyStay() {
        auto* preset = m_form->findChild<QComboBox*>(QStringLiteral("smallPreset"));
        QCOMPARE(preset->currentText(), QStringLiteral("plain"));
        type("noise", "-1");
        QTest::keyClick(preset, Qt::Key_Down);
        QCOMPARE(preset->currentText(), QStringLiteral("loud"));
        QVERIFY(m_form->isValid() && editor<QCheckBox>("noisy")->isChecked());
        QCOMPARE(editor<QLineEdit>("noise")->text(), QStringLiteral("2"));
        type("noise", "3");
        QCOMPARE(preset->currentIndex(), -1);
    }

    void theOtherFieldsAreUnderAButton() {
        auto* more = m_form->findChild<QPushButton*>(QStringLiteral("smallMore"));
        QVERIFY(editor("rate")->isVisible() && !editor("colour")->isVisible());
        more->click();
        QVERIFY(editor("colour")->isVisible());
        QCOMPARE(more->text(), QStringLiteral("Fewer options"));
        more->click();
        QVERIFY(!editor("colour")->isVisible());
        m_form->showField(QStringLiteral("weights"));
        QVERIFY(editor("weights")->isVisible());
        m_form->showField({});
        QCOMPARE(m_form->focusWidget(), editor("rate"));
    }
};

ORRERY_WINDOW_TEST(SpecFormTest)
#include "spec_form_test.moc"
