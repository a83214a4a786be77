#include <QHash>
#include <algorithm>
#include <cmath>

#include "tests/app/acceptance.h"

using namespace orrery;

namespace {

double channel(int value) {
    const double share = value / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

double luminance(QRgb color) {
    return 0.2126 * channel(qRed(color)) + 0.7152 * channel(qGreen(color)) +
           0.0722 * channel(qBlue(color));
}

double contrastOf(QRgb a, QRgb b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// Contrast between what a place is filled with and the strongest ink in it; 0 for an empty place.
double inkContrast(const QImage& picture, const QRect& place) {
    const QRect area = place.intersected(picture.rect());
    QHash<QRgb, int> counts;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) ++counts[picture.pixel(x, y)];
    QRgb ground = 0;
    int most = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (it.value() > most) {
            most = it.value();
            ground = it.key();
        }
    double best = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (it.key() != ground && it.value() >= 2)
            best = std::max(best, contrastOf(it.key(), ground));
    return best;
}

bool showsText(const QJsonObject& part) {
    const QString kind = part.value(u"kind").toString();
    return !part.value(u"text").toString().isEmpty() && !part.value(u"hidden").toBool() &&
           (kind == "QLabel" || kind == "QPushButton" || kind == "QCheckBox");
}

}  // namespace

/// Step 20, what is seen: dark and light at 200 %, a palette for colour-blind eyes.
class AcceptanceLooks : public AcceptanceScript {
    Q_OBJECT

public:
    AcceptanceLooks() : AcceptanceScript(2) {}

private:
    /// Texts of labels and buttons that are cut or too faint. Disabled ones may be faint.
    QStringList unreadable() const {
        QStringList found;
        const QImage screen = ui.screen();
        for (const QJsonValue value : ui.dump().value(u"widgets").toArray()) {
            const QJsonObject part = value.toObject();
            if (!showsText(part)) continue;
            const QString text = part.value(u"text").toString().left(40);
            const QRect place = ui.placeOf(part);
            // What gives way where there is no room draws nothing at all.
            if (part.value(u"cut").toBool() && UiDriver::inkIn(screen, place) > 0)
                found << "cut: " + text;
            if (!part.value(u"enabled").toBool()) continue;
            if (!screen.rect().contains(place)) continue;
            const double contrast = inkContrast(screen, place);
            if (contrast > 0 && contrast < 4.5)
                found << QStringLiteral("contrast %1: %2").arg(contrast, 0, 'f', 2).arg(text);
        }
        found.removeDuplicates();
        return found;
    }
    QString perspective() const { return ui.dump().value(u"perspective").toString(); }

private Q_SLOTS:
    void initTestCase() {
        SEE(ui.start({"builtin:first_steps", "--size", "1600x1000"}));
        QCOMPARE(ui.dump().value(u"ratio").toDouble(), 2.0);
        ui.key("F5");
        WAIT(session(ui).value(u"solved").toBool());
        SEE(ui.settle());
    }

    void step20aEverythingIsReadableDarkAndLightAt200Percent_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("name");
        for (const QString theme : {"dark", "light"})
            for (const auto& [key, name] :
                 {std::pair("ctrl+1", "home"), std::pair("ctrl+2", "world"),
                  std::pair("ctrl+3", "plan"), std::pair("ctrl+5", "compare")})
                QTest::newRow(qPrintable(theme + "-" + name))
                    << theme << QString(key) << QString(name);
    }
    void step20aEverythingIsReadableDarkAndLightAt200Percent() {
        QFETCH(QString, theme);
        QFETCH(QString, key);
        QFETCH(QString, name);
        if (ui.dump().value(u"theme").toString() != theme) {
            SEE(ui.runCommand(theme));
            WAIT(ui.dump().value(u"theme").toString() == theme);
        }
        ui.key(key);
        WAIT(perspective() == name);
        ui.moveTo({4, 4});
        SEE(ui.settle());
        QVERIFY(ui.shot("step-20-" + theme + "-" + name));
        const QColor corner = ui.pixel(ui.placeOf(ui.part("statusText")).topLeft() - QPoint(2, 0));
        QVERIFY2(theme == "dark" ? corner.lightness() < 80 : corner.lightness() > 180,
                 corner.name().toUtf8());
        const QStringList found = unreadable();
        QVERIFY2(found.isEmpty(), found.join(u'\n').toUtf8());
    }

    void step20bThePaletteForColourBlindEyesIsTakenEverywhere() {
        ui.key("ctrl+2");
        WAIT(perspective() == "world");
        SEE(ui.settle());
        const auto colors = [&] {
            QStringList names;
            for (const QJsonObject& cell : ui.spots("worldView", "cell "))
                if (cell.contains(u"color")) names << cell.value(u"color").toString();
            return names;
        };
        const QStringList before = colors();
        QVERIFY(!before.isEmpty());
        SEE(ui.runCommand("Settings"));
        WAIT(ui.has("settingsWindow"));
        SEE(ui.click("settingsSearch"));
        ui.type("colour-blind");
        WAIT(ui.has("setting_colorMap") || !ui.partsBeginning("setting_appearance").empty());
        QString box;
        for (const QJsonObject& part : ui.partsBeginning("setting_"))
            if (part.value(u"items").toArray().contains("Cividis (colour-blind)"))
                box = part.value(u"name").toString();
        QVERIFY(!box.isEmpty());
        SEE(ui.chooseInBox(box, "Cividis (colour-blind)"));
        WAIT(colors() != before);
        QVERIFY(ui.shot("step-20-palette"));
        ui.keys({"Escape", "Escape"});
        SEE(ui.click("statusText"));  // the window again, if the settings stay open beside it
    }

    void theProgramEndsCleanly() {
        QCOMPARE(ui.quit(), 0);
        QCOMPARE(ui.console(), QByteArray());
    }
};

QTEST_MAIN(AcceptanceLooks)
#include "acceptance_looks.moc"
