#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "widgets/common/painted_view.h"

namespace orrery {

class PlanSession;
class PlayMode;

/// The keys of play mode, each drawn as a key cap with what it does. Wraps over lines.
class KeyStrip : public PaintedWidget {
    Q_OBJECT

public:
    KeyStrip(PlanSession* session, PlayMode* play, QWidget* parent = nullptr);

    struct Entry {
        QString caps;  ///< several keys with blanks between
        QString text;
        bool operator==(const Entry&) const = default;
    };
    const std::vector<Entry>& entries() const { return m_entries; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return QSize(400, height()); }

    std::vector<NamedSpot> namedSpots() const override { return {}; }
    QJsonObject spotFacts() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    template <typename Use>
    int place(int width, Use use) const;

    PlanSession* m_session;
    PlayMode* m_play;
    std::vector<Entry> m_entries;
};

}  // namespace orrery
