#pragma once

#include <QPixmap>
#include <QWidget>
#include <vector>

#include "widgets/common/selection.h"

namespace orrery {

class PlanSession;

/// The walk through the states as a row of small pictures; a click goes to one. The newest is
/// always in view.
class EpisodeStrip : public QWidget {
    Q_OBJECT

public:
    explicit EpisodeStrip(PlanSession* session, QWidget* parent = nullptr);

    /// The rectangle of a moment's picture; null if it is out of view.
    QRectF momentRect(std::size_t index) const;
    QSize sizeHint() const override { return QSize(400, 92); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Thumbnail {
        StateItem state;
        QPixmap picture;
    };
    std::size_t firstShown() const;
    const QPixmap& pictureOf(std::size_t index);

    PlanSession* m_session;
    std::vector<Thumbnail> m_thumbnails;  ///< drawn so far, by moment
};

}  // namespace orrery
