#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace orrery {

class EntitySession;
class RowList;

/// All environments with a line each; of the one that is shown its options and its seed, and what
/// can be done with it.
class GalleryPanel : public QWidget {
    Q_OBJECT

public:
    GalleryPanel(EntitySession* session, QWidget* parent);

Q_SIGNALS:
    void trainRequested();

private:
    void fillList();
    void openTyped();
    void refresh();
    void openAnother(const QString& id);

    EntitySession* m_session;
    RowList* m_list;
    QLineEdit* m_options;
    QSpinBox* m_seed;
    QSpinBox* m_count;
    QLabel* m_help;
    QLabel* m_trouble;
    QPushButton* m_play;
    QPushButton* m_train;
};

}  // namespace orrery
