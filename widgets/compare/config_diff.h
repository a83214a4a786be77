#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/run/run_facts.h"
#include "widgets/common/table_model.h"
#include "widgets/compare/compare_set.h"

class QLabel;
class QPushButton;
class QTableView;

namespace orrery {

/// The configuration of the compared settings side by side; a setting's column has the value of its
/// runs, or all of them where they differ ("0, 1, 2").
class ConfigDiffModel : public ReadyTable {
    Q_OBJECT

public:
    enum Role { DiffersRole = Qt::UserRole + 1, ColorRole };

    using ReadyTable::ReadyTable;

    /// @param ignored  fields that are not looked at
    void setContent(const CompareSet& set, bool showsEqual, const QStringList& ignored);
    int numFields() const { return m_numFields; }
    int numDiffering() const { return m_numDiffering; }
    QString fieldOf(int row) const { return text(row, 0); }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    QVariant extra(int row, int column, int role) const override;

private:
    std::vector<bool> m_differs;  ///< [row]
    std::vector<int> m_colors;    ///< [setting]
    int m_numFields = 0, m_numDiffering = 0;
};

/// The config diff with its heading. Shows only what differs unless asked; Delete or the context
/// menu ignores a field from then on.
class ConfigDiff : public QWidget {
    Q_OBJECT

public:
    explicit ConfigDiff(QWidget* parent = nullptr);

    void setCompareSet(const CompareSet& set);
    ConfigDiffModel* model() { return &m_model; }
    QTableView* view() { return m_view; }
    const QStringList& ignored() const { return m_ignored; }
    void setIgnored(const QStringList& fields);
    bool showsEqual() const;
    void setShowsEqual(bool shows);
    /// Field, values and what it is for, as TSV.
    QString tsv() const;

Q_SIGNALS:
    void viewChanged();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh();
    void ignoreCurrent();

    CompareSet m_set;
    ConfigDiffModel m_model;
    QStringList m_ignored{QStringLiteral("threads"), QStringLiteral("memory")};
    QLabel* m_remark;
    QPushButton* m_equal;
    QPushButton* m_all;
    QTableView* m_view;
    QLabel* m_empty;
};

}  // namespace orrery
