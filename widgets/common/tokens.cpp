#include "widgets/common/tokens.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <cmath>

namespace orrery {

namespace {

QColor rgb(unsigned value) {
    return QColor::fromRgb(static_cast<QRgb>(value));
}

Tokens makeDark() {
    Tokens t;
    t.isDark = true;
    t.window = rgb(0x14171C);
    t.panel = rgb(0x1B1F26);
    t.raised = rgb(0x252B34);
    t.input = rgb(0x101318);
    t.canvas = rgb(0x111419);
    t.border = rgb(0x2E3540);
    t.strongBorder = rgb(0x4A5563);
    t.text = rgb(0xE7EAEF);
    t.text2 = rgb(0xAEB7C3);
    t.text3 = rgb(0x8893A1);
    t.accent = rgb(0x8C9BFF);
    t.onAccent = rgb(0x12142A);
    t.ok = rgb(0x4CC38A);
    t.okBack = rgb(0x17301F);
    t.warning = rgb(0xE9B44C);
    t.warningBack = rgb(0x342A14);
    t.error = rgb(0xFF7B72);
    t.errorBack = rgb(0x3A1D1D);
    t.info = rgb(0x62B0F0);
    t.infoBack = rgb(0x152B3D);
    t.brass = rgb(0xD9A94A);
    t.chartGrid = rgb(0x232933);
    t.chartAxis = rgb(0x4A5563);
    t.floor = rgb(0x20252D);
    t.floorLine = rgb(0x2C333D);
    t.wall = rgb(0x4B5563);
    t.hover = rgb(0xC9D0DB);
    t.currentRow = rgb(0x2A3056);
    t.setTint = rgb(0x3A4170);
    t.data = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x2FC79E), rgb(0xDE8FC0),
              rgb(0xF07A3C), rgb(0xF0E442), rgb(0x7F9CFF), rgb(0xDDE2EA)};
    t.world = {rgb(0xF0766A), rgb(0x3DBB8B), rgb(0x5AA6F2), rgb(0xB98CEB),
               rgb(0xF2C84B), rgb(0xA6B0BD), rgb(0xB07D4F)};
    return t;
}

Tokens makeLight() {
    Tokens t;
    t.window = rgb(0xEEF0F3);
    t.panel = rgb(0xF8F9FB);
    t.raised = rgb(0xFFFFFF);
    t.input = rgb(0xFFFFFF);
    t.canvas = rgb(0xFFFFFF);
    t.border = rgb(0xD5DAE1);
    t.strongBorder = rgb(0x98A2B0);
    t.text = rgb(0x191D24);
    t.text2 = rgb(0x454F5C);
    t.text3 = rgb(0x5F6976);
    t.accent = rgb(0x4150CF);
    t.onAccent = rgb(0xFFFFFF);
    t.ok = rgb(0x14723F);
    t.okBack = rgb(0xE2F4EA);
    t.warning = rgb(0x8A5A00);
    t.warningBack = rgb(0xFBF0D6);
    t.error = rgb(0xC0322B);
    t.errorBack = rgb(0xFCE6E4);
    t.info = rgb(0x0A66A8);
    t.infoBack = rgb(0xE1F0FB);
    t.brass = rgb(0xA87614);
    t.chartGrid = rgb(0xE9ECF0);
    t.chartAxis = rgb(0x98A2B0);
    t.floor = rgb(0xFBFBFC);
    t.floorLine = rgb(0xE3E7EC);
    t.wall = rgb(0x6E7986);
    t.hover = rgb(0x5A6473);
    t.currentRow = rgb(0xE2E5FB);
    t.setTint = rgb(0xD3D8FA);
    t.data = {rgb(0x0072B2), rgb(0xD55E00), rgb(0x00845F), rgb(0xB0508A),
              rgb(0xB87900), rgb(0x2E86B8), rgb(0x4150CF), rgb(0x191D24)};
    t.world = {rgb(0xC8382C), rgb(0x128A5E), rgb(0x1B6EC2), rgb(0x7A4CC0),
               rgb(0xC48A00), rgb(0x66717F), rgb(0x8A5A30)};
    return t;
}

Tokens withSharedColors(Tokens t) {
    t.underHeat = rgb(0x0B0D10);
    t.humanBody = rgb(0xF2C84B);
    t.humanEdge = rgb(0x5B4300);
    t.robotBody = rgb(0xB9C2CE);
    t.robotEdge = rgb(0x2A313B);
    return t;
}

/// Relative luminance of WCAG 2.1 in [0, 1].
double luminance(const QColor& color) {
    const auto linear = [](float channel) {
        const double c = channel;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

}  // namespace

const Tokens& darkTokens() {
    static const Tokens kTokens = withSharedColors(makeDark());
    return kTokens;
}

const Tokens& lightTokens() {
    static const Tokens kTokens = withSharedColors(makeLight());
    return kTokens;
}

const Tokens& currentTokens() {
    const QColor window = QGuiApplication::palette().color(QPalette::Window);
    return window.lightness() < 128 ? darkTokens() : lightTokens();
}

QColor mixed(const QColor& under, const QColor& over, double opacity) {
    const auto blend = [opacity](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * opacity));
    };
    return QColor(blend(under.red(), over.red()), blend(under.green(), over.green()),
                  blend(under.blue(), over.blue()));
}

QColor partColor(int index, const Tokens& t) {
    constexpr double kTint = 0.55;
    const std::array colors{t.data[0],
                            t.data[1],
                            t.data[2],
                            t.data[3],
                            t.data[4],
                            t.world[6],
                            t.data[6],
                            t.data[7],
                            t.strongBorder,
                            t.world[0],
                            mixed(t.canvas, t.data[3], kTint),
                            mixed(t.canvas, t.data[2], kTint)};
    return index < 0 ? t.text3 : colors[static_cast<std::size_t>(index) % colors.size()];
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor textOn(const QColor& fill) {
    const QColor ink = rgb(0x0E1116);
    return contrast(fill, ink) >= contrast(fill, Qt::white) ? ink : QColor(Qt::white);
}

}  // namespace orrery
