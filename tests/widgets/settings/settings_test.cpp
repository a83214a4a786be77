#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/color_map.h"
#include "widgets/common/command_table.h"
#include "widgets/common/commands.h"
#include "widgets/common/style.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/scale_fit.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/settings/settings_window.h"
#include "widgets/settings/shortcut_page.h"

using namespace orrery;

class SettingsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QWidget> m_owner;
    std::unique_ptr<Commands> m_commands;
    std::unique_ptr<Preferences> m_preferences;
    std::unique_ptr<SettingsWindow> m_window;

    QString file() const { return m_folder.filePath(QStringLiteral("orrery.ini")); }
    QByteArray stored() {
        m_preferences->flush();
        QFile ini(file());
        return ini.open(QIODevice::ReadOnly) ? ini.readAll() : QByteArray();
    }
    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    void showPage(const char* name) {
        auto* pages = child<QListWidget>("settingsPages");
        for (int i = 0; i < pages->count(); ++i) {
            if (pages->item(i)->text() != QLatin1String(name)) continue;
            QTest::mouseClick(pages->viewport(), Qt::LeftButton, {},
                              pages->visualItemRect(pages->item(i)).center());
            QCOMPARE(pages->currentRow(), i);
            return;
        }
        QFAIL("no such page");
    }

private Q_SLOTS:
    void init() {
        QFile::remove(file());
        m_owner = std::make_unique<QWidget>();
        m_commands = std::make_unique<Commands>(m_owner.get());
        m_preferences = std::make_unique<Preferences>(file());
        connect(m_preferences.get(), &Preferences::keysChanged, this, [this](const QString& id) {
            for (const CommandSpec& spec : commandTable())
                if (id == QLatin1String(spec.id))
                    m_commands->setKeys(
                        id, m_preferences->keys(id).value_or(Commands::defaultKeys(spec)));
        });
        m_window = std::make_unique<SettingsWindow>(m_preferences.get(), m_commands.get(), nullptr);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), kPatience));
    }
    void cleanup() {
        m_window.reset();
        m_preferences.reset();
        m_commands.reset();
        m_owner.reset();
    }

    void everySettingHasARightDefaultAndTexts() {
        QStringList keys;
        for (const SettingSpec& spec : settingTable()) {
            QVERIFY2(settingDefault(spec).isValid(), spec.key);
            QVERIFY2(*spec.label && *spec.meaning && *spec.page, spec.key);
            QCOMPARE(QString::fromLatin1(spec.choices).count(u'|'),
                     QString::fromUtf8(spec.choiceNames).count(u'|'));
            keys << QLatin1String(spec.key);
        }
        QCOMPARE(keys.removeDuplicates(), 0);
        QCOMPARE(settingPages(), (QStringList{"General", "Appearance", "Charts", "Compute",
                                              "Storage", "Export", "Shortcuts", "Advanced"}));
    }

    /// Another value than the default.
    static QVariant otherValue(const SettingSpec& spec) {
        const QVariant standard = settingDefault(spec);
        switch (spec.type) {
            case SettingType::Flag:
                return !standard.toBool();
            case SettingType::Integer:
                return standard.toInt() == static_cast<int>(spec.low) ? static_cast<int>(spec.high)
                                                                      : static_cast<int>(spec.low);
            case SettingType::Number:
                return standard.toDouble() == spec.low ? spec.high : spec.low;
            case SettingType::Choice:
                for (const QString& choice : QString::fromLatin1(spec.choices).split(u'|'))
                    if (choice != standard.toString()) return choice;
                break;
            case SettingType::Folder:
                return QDir::tempPath();
        }
        return {};
    }

    void everySettingIsThereAfterARestart() {
        for (const SettingSpec& spec : settingTable())
            QVERIFY2(m_preferences->setValue(QLatin1String(spec.key), otherValue(spec)), spec.key);
        // A copy, as QSettings keeps what a file of the same name held.
        m_preferences->flush();
        QVERIFY(QFile::copy(file(), m_folder.filePath(QStringLiteral("changed.ini"))));
        const Preferences again(m_folder.filePath(QStringLiteral("changed.ini")));
        for (const SettingSpec& spec : settingTable()) {
            QVERIFY2(again.isChanged(QLatin1String(spec.key)), spec.key);
            QVERIFY2(again.value(QLatin1String(spec.key)) == otherValue(spec), spec.key);
        }
        for (const SettingSpec& spec : settingTable())
            m_preferences->reset(QLatin1String(spec.key));
        m_preferences->flush();
        QVERIFY(QFile::copy(file(), m_folder.filePath(QStringLiteral("reset.ini"))));
        const Preferences asNew(m_folder.filePath(QStringLiteral("reset.ini")));
        for (const SettingSpec& spec : settingTable())
            QVERIFY2(!asNew.isChanged(QLatin1String(spec.key)), spec.key);
    }

    void whatAnEarlierVersionWroteOfThePageGeneralIsRead() {
        m_preferences.reset();
        QFile ini(file());
        QVERIFY(ini.open(QIODevice::WriteOnly));
        ini.write("[%General]\nrestoreSession=false\n\n[schema]\nversion=1\n");
        ini.close();
        m_preferences = std::make_unique<Preferences>(file());
        QVERIFY(!m_preferences->isOn(QStringLiteral("general/restoreSession")));
        QVERIFY(m_preferences->setValue(QStringLiteral("general/restoreSession"), true));
        QVERIFY(!stored().contains("restoreSession"));
    }

    void onlyWhatDiffersIsWrittenAndUnknownKeysStay() {
        m_preferences.reset();
        QFile ini(file());
        QVERIFY(ini.open(QIODevice::WriteOnly));
        ini.write("[future]\nshape=round\n\n[export]\ndpi=99999\nwidthMm=120\n");
        ini.close();
        m_preferences = std::make_unique<Preferences>(file());
        QCOMPARE(m_preferences->value("export/widthMm").toDouble(), 120.0);
        QCOMPARE(m_preferences->value("export/dpi").toInt(), 300);  // out of range: the default
        QVERIFY(m_preferences->setValue("export/dpi", 600));
        QVERIFY(!m_preferences->setValue("export/dpi", 7));
        QVERIFY(m_preferences->setValue("appearance/theme", "dark"));
        QVERIFY(!m_preferences->setValue("appearance/theme", "pink"));
        QByteArray text = stored();
        QVERIFY(text.contains("shape=round"));
        QVERIFY(text.contains("dpi=600"));
        QVERIFY(text.contains("theme=dark"));
        QVERIFY(text.contains("[schema]\nversion=1"));
        m_preferences->reset("appearance/theme");
        QVERIFY(!stored().contains("theme="));
        QVERIFY(!m_preferences->isChanged("appearance/theme"));
        QVERIFY(m_preferences->isChanged("export/dpi"));
    }

    void aChangeByMouseAndKeysHoldsAtOnceAndIsResetByItsButton() {
        const QSignalSpy changed(m_preferences.get(), &Preferences::changed);
        showPage("Appearance");
        auto* motion = child<QCheckBox>("setting_appearance_reducedMotion");
        auto* reset = child<QToolButton>("reset_appearance_reducedMotion");
        QVERIFY(!reset->isVisible());
        QTest::mouseClick(motion, Qt::LeftButton, {}, QPoint(7, motion->height() / 2));
        QVERIFY(m_preferences->isOn("appearance/reducedMotion"));
        QCOMPARE(changed.size(), 1);
        QVERIFY(reset->isVisible());
        QTest::mouseClick(reset, Qt::LeftButton);
        QVERIFY(!m_preferences->isOn("appearance/reducedMotion"));
        QVERIFY(!motion->isChecked());
        auto* theme = child<QComboBox>("setting_appearance_theme");
        theme->setFocus();
        QTest::keyClick(theme, Qt::Key_Down);
        QCOMPARE(m_preferences->value("appearance/theme").toString(), QStringLiteral("light"));
        showPage("Export");
        auto* dpi = child<QSpinBox>("setting_export_dpi");
        dpi->setFocus();
        dpi->selectAll();
        QTest::keyClicks(dpi, "150");
        QTest::keyClick(dpi, Qt::Key_Return);
        QCOMPARE(m_preferences->value("export/dpi").toInt(), 150);
        QVERIFY(stored().contains("dpi=150"));
    }

    void allEditorsOfAPageBeginAtOnePlace() {
        for (const char* page : {"General", "Appearance"}) {
            showPage(page);
            QSet<int> lefts;
            for (const QCheckBox* box : m_window->findChildren<QCheckBox*>())
                if (box->isVisible()) lefts << box->mapTo(m_window.get(), QPoint(0, 0)).x();
            for (const QComboBox* box : m_window->findChildren<QComboBox*>())
                if (box->isVisible()) lefts << box->mapTo(m_window.get(), QPoint(0, 0)).x();
            QCOMPARE(lefts.size(), 1);
        }
    }

    void searchShowsOnlyWhatHasTheWords() {
        auto* search = child<QLineEdit>("settingsSearch");
        auto* pages = child<QListWidget>("settingsPages");
        QTest::keyClicks(search, "colour-blind");
        QStringList shown;
        for (int i = 0; i < pages->count(); ++i)
            if (!pages->item(i)->isHidden()) shown << pages->item(i)->text();
        QCOMPARE(shown, QStringList{"Appearance (1)"});
        QVERIFY(child<QComboBox>("setting_appearance_colorMap")->isVisible());
        QVERIFY(!child<QComboBox>("setting_appearance_theme")->isVisible());
        search->clear();
        QTest::keyClicks(search, "zzz");
        QVERIFY(!pages->item(0)->text().contains(QLatin1String("zzz")));
        QVERIFY(pages->item(0)->isHidden());
        QTest::keyClick(search, Qt::Key_Escape);  // clears, then closes
        QVERIFY(m_window->isVisible() && search->text().isEmpty());
        QVERIFY(!pages->item(0)->isHidden());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!m_window->isVisible());
    }

    void searchCountsCommandsWhoseLinesAreStillMade() {
        auto* search = child<QLineEdit>("settingsSearch");
        search->setText(QStringLiteral("window"));  // in the turn that opened the window
        const auto count = std::ranges::count_if(commandTable(), [](const CommandSpec& spec) {
            QString all = QStringLiteral("%1 %2 %3")
                              .arg(QLatin1String(spec.text), QLatin1String(spec.menu),
                                   QLatin1String(spec.tip));
            return all.remove(u'&').contains(QLatin1String("window"), Qt::CaseInsensitive);
        });
        const QString found = QStringLiteral("Shortcuts (%1)").arg(count);
        QVERIFY(count > 0 && count < std::ssize(commandTable()));
        QVERIFY(m_window->findChildren<QKeySequenceEdit*>().size() < std::ssize(commandTable()));
        QCOMPARE(child<QListWidget>("settingsPages")->item(6)->text(), found);
        showPage(found.toLatin1().constData());
        const auto shown = [this] {
            const auto edits = m_window->findChildren<QKeySequenceEdit*>();
            return edits.size() < std::ssize(commandTable())
                       ? -1
                       : std::ranges::count_if(edits, &QWidget::isVisible);
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), count, kPatience);
    }

    void pagesThatWereLeftHaveTheThemeOfNow() {
        const auto edits = [this] { return m_window->findChildren<QKeySequenceEdit*>().size(); };
        const auto lightness = [](QWidget* editor) {
            return editor->grab().toImage().pixelColor(editor->rect().center()).lightness();
        };
        applyTheme(*qApp, ThemeChoice::Light);
        showPage("Shortcuts");
        QTRY_COMPARE_WITH_TIMEOUT(edits(), std::ssize(commandTable()), kPatience);
        showPage("Export");
        QVERIFY(lightness(child<QSpinBox>("setting_export_dpi")) > 200);
        showPage("General");
        applyTheme(*qApp, ThemeChoice::Dark);
        showPage("Export");
        QVERIFY(lightness(child<QSpinBox>("setting_export_dpi")) < 60);
        showPage("Shortcuts");
        QTRY_COMPARE_WITH_TIMEOUT(edits(), std::ssize(commandTable()), kPatience);
        auto* first = child<QKeySequenceEdit>("keys_run.solve");
        QVERIFY(first->isVisible());
        QVERIFY(lightness(first) < 60);
    }

    void keysAreBoundAnewUnlessAnotherCommandHasThem() {
        showPage("Shortcuts");
        const auto edits = [this] { return m_window->findChildren<QKeySequenceEdit*>().size(); };
        QTRY_COMPARE_WITH_TIMEOUT(edits(), std::ssize(commandTable()), kPatience);
        auto* edit = child<QKeySequenceEdit>("keys_run.solve");
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_F12);
        QTRY_COMPARE_WITH_TIMEOUT(m_commands->keys("run.solve"),
                                  QList<QKeySequence>{QKeySequence("F12")}, kPatience);
        QCOMPARE(m_commands->action("run.solve")->shortcuts(),
                 QList<QKeySequence>{QKeySequence("F12")});
        QVERIFY(m_commands->action("run.solve")->toolTip().contains(QLatin1String("F12")));
        QVERIFY(stored().contains("run.solve=F12"));
        // Ctrl+K belongs to the locator.
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_K, Qt::ControlModifier);
        const auto problemLabel = [this] {
            return m_window->findChild<QLabel*>(QStringLiteral("keysProblem_run.solve"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(problemLabel() && problemLabel()->isVisible(), kPatience);
        const QLabel* problem = problemLabel();
        QVERIFY(problem->text().contains(QLatin1String("Find anything")));
        QCOMPARE(m_commands->keys("run.solve"), QList<QKeySequence>{QKeySequence("F12")});
        QTest::mouseClick(child<QToolButton>("resetKeys_run.solve"), Qt::LeftButton);
        QCOMPARE(m_commands->keys("run.solve"), QList<QKeySequence>{QKeySequence("F5")});
        QVERIFY(!stored().contains("run.solve"));
    }

    void aPlainKeyMovesWithItsCommandInTheViewsThatTakeIt() {
        QWidget canvas;
        canvas.setFocusPolicy(Qt::StrongFocus);
        canvas.addAction(m_commands->action("world.play"));
        m_commands->addPlainKeys(&canvas);
        canvas.show();
        canvas.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&canvas, kPatience));
        canvas.setFocus();
        const QSignalSpy played(m_commands->action("world.play"), &QAction::triggered);
        QTest::keyClick(&canvas, Qt::Key_P);
        QCOMPARE(played.size(), 1);
        m_commands->setKeys("world.play", {QKeySequence("Y")});
        QTest::keyClick(&canvas, Qt::Key_P);
        QCOMPARE(played.size(), 1);
        QTest::keyClick(&canvas, Qt::Key_Y);
        QCOMPARE(played.size(), 2);
    }

    void recentWorkspacesAreLatestFirstAndAtMostAsManyAsChosen() {
        m_preferences->setValue("storage/recentWorkspaces", 2);
        for (const char* name : {"/a.orrery", "/b.orrery", "/c.orrery", "/a.orrery"})
            m_preferences->noteWorkspace({name, "2026-03-01T12:00:00Z", 3});
        const auto all = m_preferences->recentWorkspaces();
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0].folder, QStringLiteral("/a.orrery"));
        QCOMPARE(all[1].folder, QStringLiteral("/c.orrery"));
        QCOMPARE(all[1].numRuns, 3);
        m_preferences->flush();
        QCOMPARE(Preferences(file()).recentWorkspaces(), all);
        m_preferences->forgetWorkspace(QStringLiteral("/a.orrery"));
        QCOMPARE(m_preferences->recentWorkspaces().size(), 1);
    }

    void theChosenColoursAreThoseOfValues() {
        setSequentialMap(SequentialMap::Cividis);
        QCOMPARE(sequentialColor(0), cividis(0));
        QCOMPARE(sequentialColor(1), QColor(0xFE, 0xE8, 0x38));
        setSequentialMap(SequentialMap::Viridis);
        QCOMPARE(sequentialColor(1), viridis(1));
    }

    void aScaleThatLeavesTooLittleIsLoweredAndSaysSo() {
        QCOMPARE(fittingScale(200, QSize(1600, 1000)), 200);
        QCOMPARE(fittingScale(200, QSize(1920, 1080)), 200);
        QCOMPARE(fittingScale(300, QSize(1920, 1080)), 216);
        QCOMPARE(fittingScale(300, QSize(1280, 800)), 160);
        QCOMPARE(fittingScale(300, QSize(640, 480)), 100);
        QCOMPARE(fittingScale(300, QSize(3840, 2160)), 300);
        QVERIFY(scaleRemark(200, QSize(1920, 1080)).isEmpty());
        const QString remark = scaleRemark(300, QSize(1920, 1080));
        QVERIFY2(remark.contains("300 %") && remark.contains("216 %"), qPrintable(remark));
        m_window->setRemark("appearance/scale", remark);
        showPage("Appearance");
        m_window->show();
        QCOMPARE(child<QLabel>("remark_appearance_scale")->text(), remark);
        QVERIFY(child<QLabel>("remark_appearance_scale")->isVisible());
        m_window->setRemark("appearance/scale", {});
        QVERIFY(!child<QLabel>("remark_appearance_scale")->isVisible());
    }
};

ORRERY_WINDOW_TEST(SettingsTest)
#include "settings_test.moc"
