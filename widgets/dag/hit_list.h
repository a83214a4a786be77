#pragma once

#include <QWidget>

class QLabel;
class QTableView;

namespace orrery {

class CardPictures;
class HitModel;

/// The found states as a table: a picture of the world, the step, the state's number, its value. A
/// click on a heading sorts, a row goes to its state, and the current state's row is marked.
/// Pictures are drawn aside, for rows that are seen.
class HitList : public QWidget {
    Q_OBJECT

public:
    /// The model lives longer.
    explicit HitList(HitModel* model, QWidget* parent = nullptr);

    QTableView* table() { return m_table; }
    QSize sizeHint() const override { return QSize(320, 360); }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshRows();
    void refreshCurrent();
    void restartPictures();

    HitModel* m_model;
    CardPictures* m_pictures;
    QLabel *m_title, *m_keys, *m_empty;
    QTableView* m_table;
    bool m_isShowing = false;  ///< the table follows the session, not a person
};

}  // namespace orrery
