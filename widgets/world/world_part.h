#pragma once

#include <QJsonObject>
#include <QStringList>
#include <functional>
#include <vector>

#include "core/run/world_ref.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/part/window_part.h"

namespace orrery {

class ScopePart;
class Timeline;
class WorldEditor;
class WorldPanel;

/// The open world: how it is opened, played, edited and left, and what a session keeps of it.
class WorldPart : public WindowPart {
    Q_OBJECT

public:
    WorldPart(Workbench& bench, ScopePart* scopes);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void refreshCommands() override;
    std::vector<LocatorSource> locatorSources() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    bool isSettled() const override;
    QString windowTitle() const override;
    QStringList crumbs() const override;
    std::optional<StepKeys> stepKeys() override;

    /// Opens a world file or "builtin:NAME", unless its changes shall not be left.
    /// @param opened  called once it is shown
    void open(const WorldRef& world, const std::function<void()>& opened = nullptr);
    /// The same, in World if nothing but Home is shown.
    void openFromHome(const QString& world);
    /// What the window begins with.
    /// @param wanted  empty: the last session's world, else the first example
    void openFirst(const QString& wanted);
    /// Opens one that is there already, such as a stored run's, unless changes shall not be left.
    /// @return whether it is open now
    bool show(const LoadedWorld& world);
    /// Asks whether changes that are in no file may be lost.
    bool mayLeave();

    /// Why the world that is drawn cannot be solved or learned; empty if it can. What the session
    /// has is what it was when it was right last.
    QString draftError() const;
    /// Brings what is wrong with it to the front.
    void showRules();
    /// Whether it has changes that are in no file.
    bool isModified() const;
    /// The world view that is current, else the first one.
    WorldPanel& panel();
    /// Titles and files of the examples; empty until they are read.
    const std::vector<LoadedWorld>& examples() const { return m_examples; }
    /// World files that were opened, newest first.
    const QStringList& recent() const { return m_recent; }

    /// Whether the last session's walk is still to come.
    bool hasKept() const { return !m_kept.isEmpty(); }
    /// Title of the world of the last session, while that is so.
    QString keptTitle() const { return m_kept.value(u"title").toString(); }
    /// Walk and place of the last session, once its world and its run are there.
    /// @return the predicate that was asked for there; empty: none
    std::string restorePlace();

Q_SIGNALS:
    /// Another world is open, with the changes that the last session kept.
    void opened();
    void examplesRead();

private:
    QWidget* makeWorld(ViewScope& scope, int number, QWidget* parent);
    QWidget* makeAgents(QWidget* parent);
    void chooseFile();
    void readExamples();
    void noteRecent(const QString& name);
    std::vector<LocatorItem> items();
    void takeOpened(const LoadedWorld& loaded);
    void stepOnce();
    // world_part_session.cpp
    QJsonObject draft() const;
    void restoreDraft();
    bool restoreWalk(const QJsonObject& kept);
    void setDraftAside(const QJsonObject& draft);

    ScopePart* m_scopes;
    Timeline* m_timeline;
    WorldEditor* m_editor;
    int m_document = 0;  ///< of the editor, that the undo stack is about
    std::vector<LoadedWorld> m_examples;
    QStringList m_recent;
    QString m_keptWorld, m_keptAddress;
    QJsonObject m_kept;  ///< of the last session: title, walk, changes that are in no file
};

}  // namespace orrery
