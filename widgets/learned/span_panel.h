#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/learned/span_columns.h"

class QAbstractItemModel;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace orrery {

class TraceCanvas;

/// What the threads of one training did when: TraceCanvas with its controls and what was recorded.
/// Without OpenGL the same as a table, with the reason above it. The canvas is made when the panel
/// is shown for the first time, because it changes how the whole window is painted.
class SpanPanel : public QWidget {
    Q_OBJECT

public:
    explicit SpanPanel(const QString& name, QWidget* parent = nullptr);

    /// @param timeline  null: nothing was recorded
    /// @param isOther   of another run than before: its range is given up, all of it is shown
    void setTimeline(std::shared_ptr<const SpanTimeline> timeline, const QString& title,
                     bool isOther);
    /// In place of a timeline: it is being read, and whether there is one is not known yet.
    void setReading();
    const std::shared_ptr<const SpanTimeline>& timeline() const { return m_timeline; }
    /// What statistics are limited to; nothing: all.
    std::optional<SpanRange> range() const { return m_range; }
    void setRange(std::optional<SpanRange> range);

    /// Null without OpenGL, and before the panel is shown.
    TraceCanvas* canvas() const { return m_canvas; }
    QAbstractItemModel* tableModel();

Q_SIGNALS:
    void rangeChanged();
    void kindPicked(int kind);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeTablePage(const QString& reason);
    void makePages();
    void refresh();
    void refreshModel();

    std::shared_ptr<const SpanTimeline> m_timeline;
    std::optional<SpanRange> m_range;
    QString m_title;
    bool m_isReading = false;    ///< the timeline
    bool m_isTableUsed = false;  ///< somebody looks at the model
    TraceModel m_model{spanColumns(), true};
    QLabel *m_facts, *m_empty;
    QStackedWidget* m_pages;
    QWidget* m_full = nullptr;  ///< null before the first show
    TraceCanvas* m_canvas = nullptr;
    QList<QPushButton*> m_viewButtons;
    QPushButton* m_clear = nullptr;
};

}  // namespace orrery
