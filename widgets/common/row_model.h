#pragma once

#include <QAbstractListModel>
#include <QColor>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

class QPainter;
class QRectF;

namespace orrery {

struct Tokens;

/// One line of a list: a picture, a title over a quiet second line, and a number at the right.
struct Row {
    QString title;
    QString subtitle;  ///< empty: the title stands alone
    QString value;     ///< in the number face, right
    std::optional<double> share =
        {};  ///< in [0, 1]: a bar with its number, in place of the picture
    QString shareText = {};
    bool isExact = false;  ///< the value carries the mark of exact numbers
    bool isCurrent = false;
    QString tip = {};
    /// Draws the picture into a rectangle; empty: no picture.
    std::function<void(QPainter&, const QRectF&, const Tokens&)> picture = {};
};

/// Lines for a RowList. Only the GUI thread uses it.
class RowModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// Takes other rows. Keeps the view's keyboard position if their number is the same.
    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Row> m_rows;
};

}  // namespace orrery
