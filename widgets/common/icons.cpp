#include "widgets/common/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "widgets/common/tokens.h"

// Outside the namespace, as the macro demands.
static void initializeIconResource() {
    Q_INIT_RESOURCE(resources);
}

namespace orrery {

namespace {

struct IconColors {
    QColor normal, on, disabled;
};

/// Draws an SVG whose strokes are black in the colour of the icon's mode.
class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QByteArray svg, IconColors colors)
        : m_svg(std::move(svg)), m_colors(std::move(colors)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State state) override {
        const QColor color = mode == QIcon::Disabled ? m_colors.disabled
                             : state == QIcon::On    ? m_colors.on
                                                     : m_colors.normal;
        QByteArray svg = m_svg;
        svg.replace("#000000", color.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new LineIconEngine(m_svg, m_colors); }

private:
    QByteArray m_svg;
    IconColors m_colors;
};

QIcon iconWith(const QString& name, const IconColors& colors) {
    loadIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new LineIconEngine(file.readAll(), colors));
}

}  // namespace

QIcon themedIcon(const QString& name, const Tokens& tokens) {
    return iconWith(name, {tokens.text2, tokens.accent, mixed(tokens.panel, tokens.text3, 0.55)});
}

QIcon coloredIcon(const QString& name, const QColor& color, const QColor& disabled) {
    return iconWith(name, {color, color, disabled.isValid() ? disabled : color});
}

void loadIcons() {
    static const bool isLoaded = (initializeIconResource(), true);
    static_cast<void>(isLoaded);
}

QIcon programIcon() {
    loadIcons();
    return QIcon(QStringLiteral(":/icons/orrery.svg"));
}

}  // namespace orrery
