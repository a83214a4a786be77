#pragma once

#include <QDialog>

class QAbstractItemModel;
class QTableView;

namespace orrery {

/// What a drawn view shows, as a table beside it: for reading without a picture and for copying.
/// Live as long as the model is.
class TableTwin : public QDialog {
    Q_OBJECT

public:
    TableTwin(const QString& title, QAbstractItemModel* model, QWidget* parent);

private:
    void copy();

    QTableView* m_table;
};

}  // namespace orrery
