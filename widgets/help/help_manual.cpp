#include "widgets/help/help_manual.h"

#include <QFile>
#include <QRegularExpression>
#include <QTextDocumentFragment>
#include <algorithm>
#include <utility>

#include "widgets/common/tokens.h"
#include "widgets/common/words.h"

// Q_INIT_RESOURCE must stand outside of every namespace.
static void initHelpResource() {
    Q_INIT_RESOURCE(help);
}

namespace orrery {

namespace {

constexpr int kExcerpt = 110;

struct Entry {
    const char* name;
    const char* group;
};

/// The contents, in their order.
constexpr Entry kContents[] = {
    {"index", "Start"},
    {"first_steps", "Start"},
    {"window", "Start"},
    {"home", "Perspectives"},
    {"world", "Perspectives"},
    {"plan", "Perspectives"},
    {"train", "Perspectives"},
    {"compare", "Perspectives"},
    {"entities", "Perspectives"},
    {"own_environment", "Perspectives"},
    {"play", "Views"},
    {"editor", "Views"},
    {"level_bands", "Views"},
    {"state_graph", "Views"},
    {"predicates", "Views"},
    {"inspector", "Views"},
    {"solver", "Views"},
    {"parameters", "Views"},
    {"charts", "Views"},
    {"timeline", "Views"},
    {"solver_timeline", "Views"},
    {"replay", "Views"},
    {"learned", "Views"},
    {"export", "Views"},
    {"training", "Reference"},
    {"locator", "Reference"},
    {"shortcuts", "Reference"},
    {"settings", "Reference"},
    {"command_line", "Reference"},
    {"files", "Reference"},
    {"numbers", "Reference"},
};

QString readFile(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString pageFile(const QString& name) {
    return QStringLiteral(":/help/%1.html").arg(name);
}

QString plain(const QString& html) {
    return QTextDocumentFragment::fromHtml(html).toPlainText().simplified();
}

/// One line of the text around the first of the words.
QString excerptOf(const QString& text, const QStringList& words) {
    const qsizetype at =
        std::max<qsizetype>(0, text.indexOf(words.first(), 0, Qt::CaseInsensitive));
    qsizetype begin = std::max<qsizetype>(0, at - kExcerpt / 3);
    if (begin > 0) begin = text.indexOf(u' ', begin) + 1;
    const QString part = text.mid(begin, kExcerpt);
    return (begin > 0 ? QStringLiteral("… ") : QString()) + part +
           (begin + part.size() < text.size() ? QStringLiteral(" …") : QString());
}

}  // namespace

void loadHelpFiles() {
    initHelpResource();
}

HelpManual::HelpManual(Parts parts) : m_parts(std::move(parts)) {
    loadHelpFiles();
    static const QRegularExpression kTitle(QStringLiteral("<title>([^<]*)</title>"));
    for (const Entry& entry : kContents) {
        const QString name = QLatin1String(entry.name);
        const QString title = kTitle.match(readFile(pageFile(name))).captured(1);
        m_pages.push_back({name, QLatin1String(entry.group), title});
    }
}

bool HelpManual::hasPage(const QString& name) const {
    return std::ranges::find(m_pages, name, &HelpPage::name) != m_pages.end();
}

QString HelpManual::html(const QString& name) const {
    if (!hasPage(name)) return {};
    const auto known = m_html.constFind(name);
    if (known != m_html.constEnd()) return *known;
    QString html = readFile(pageFile(name));
    static const QString kEnd = QStringLiteral("<!-- end -->");
    for (auto part = m_parts.begin(); part != m_parts.end(); ++part) {
        const qsizetype begin = html.indexOf(QStringLiteral("<!-- part:%1 -->").arg(part.key()));
        const qsizetype end = begin < 0 ? -1 : html.indexOf(kEnd, begin);
        if (end >= 0) html.replace(begin, end + kEnd.size() - begin, part.value()());
    }
    return *m_html.insert(name, html);
}

QStringList HelpManual::anchors(const QString& name) const {
    static const QRegularExpression kAnchor(QStringLiteral("<a name=\"([^\"]+)\""));
    QStringList found;
    for (auto match = kAnchor.globalMatch(html(name)); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

const std::vector<HelpManual::Section>& HelpManual::sections() const {
    if (!m_sections.empty()) return m_sections;
    static const QRegularExpression kHeading(
        QStringLiteral("<h[23]><a name=\"([^\"]+)\"></a>(.*?)</h[23]>"));
    for (const HelpPage& page : m_pages) {
        const QString body = html(page.name).section(QStringLiteral("</head>"), 1);
        Section section{page.name, {}, page.title, {}};
        qsizetype begin = 0;
        for (auto match = kHeading.globalMatch(body); match.hasNext();) {
            const auto heading = match.next();
            section.text = plain(body.mid(begin, heading.capturedStart() - begin));
            m_sections.push_back(section);
            section = {page.name,
                       heading.captured(1),
                       QStringLiteral("%1 › %2").arg(page.title, plain(heading.captured(2))),
                       {}};
            begin = heading.capturedEnd();
        }
        section.text = plain(body.mid(begin));
        m_sections.push_back(section);
    }
    return m_sections;
}

std::vector<HelpHit> HelpManual::search(const QString& words, int most) const {
    const QStringList wanted = wordsOf(words);
    std::vector<HelpHit> inTitle, inText;
    if (wanted.isEmpty()) return {};
    for (const Section& section : sections()) {
        const bool isInTitle = hasAll(section.title, wanted);
        if (!isInTitle && !hasAll(section.title + u' ' + section.text, wanted)) continue;
        HelpHit hit{section.page, section.title, excerptOf(section.text, wanted)};
        if (!section.anchor.isEmpty()) hit.address += u'#' + section.anchor;
        (isInTitle ? inTitle : inText).push_back(std::move(hit));
    }
    inTitle.insert(inTitle.end(), inText.begin(), inText.end());
    if (std::ssize(inTitle) > most) inTitle.resize(static_cast<std::size_t>(most));
    return inTitle;
}

QString HelpManual::styleSheet(const Tokens& tokens) {
    QString sheet = readFile(QStringLiteral(":/help/help.css"));
    const Tokens& light = lightTokens();
    for (const auto role : {&Tokens::panel, &Tokens::border, &Tokens::text, &Tokens::text2,
                            &Tokens::text3, &Tokens::accent, &Tokens::infoBack, &Tokens::window})
        sheet.replace((light.*role).name(), (tokens.*role).name(), Qt::CaseInsensitive);
    return sheet;
}

}  // namespace orrery
