#pragma once

#include <QListView>

#include "widgets/common/row_model.h"

namespace orrery {

/// A list of rows in the program's look. Tells what was hovered, picked (pressed or moved to by
/// keys) and activated (double-clicked or Enter); what is current stands in the rows.
class RowList : public QListView {
    Q_OBJECT

public:
    /// @param pictureWidth  of the rows' pictures or bars; 0: none
    RowList(const QString& name, int rowHeight, int pictureWidth, QWidget* parent);

    RowModel* rowModel() { return &m_model; }
    void setRows(std::vector<Row> rows);

    /// As tall as its rows, up to so many, and without a scroll bar up to there; else it scrolls.
    void setFitsRows(bool fits, int most = 1000);

    int sizeHintForRowHeight() const { return m_rowHeight; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hovered(int row);  ///< -1: none
    void picked(int row);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setHovered(int row);
    void refreshHeight();

    RowModel m_model;
    int m_rowHeight;
    int m_hovered = -1;
    bool m_fitsRows = false;
    int m_mostRows = 0;  ///< that it is as tall as
};

}  // namespace orrery
