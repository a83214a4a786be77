#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace orrery {

struct Tokens;

/// One page of the manual.
struct HelpPage {
    QString name;   ///< "world": of world.html, and in addresses "world#play"
    QString group;  ///< heading of the contents: "Views"
    QString title;
};

/// A part of a page that has the words of a search.
struct HelpHit {
    QString address;  ///< "world#play"
    QString title;    ///< "World › Play"
    QString excerpt;  ///< one line around the first word
};

/// The pages of the manual, compiled in from resources/help. From `<!-- part:NAME -->` to
/// `<!-- end -->` a page gets what the program says of itself: its commands, its fields, its verbs.
/// What stands between them in the file is for browsers.
class HelpManual {
public:
    /// What stands for each part, as HTML; made when a page that has it is first asked for.
    using Parts = QHash<QString, std::function<QString()>>;

    explicit HelpManual(Parts parts = {});

    const std::vector<HelpPage>& pages() const { return m_pages; }
    bool hasPage(const QString& name) const;
    /// The whole page; empty for an unknown name.
    QString html(const QString& name) const;
    /// The names that an address of the page may have after "#".
    QStringList anchors(const QString& name) const;

    /// Parts of pages that have all words, those with them in a title first; at most `most`.
    std::vector<HelpHit> search(const QString& words, int most = 60) const;

    /// The style sheet in a theme's colours; the file has those of the light one.
    static QString styleSheet(const Tokens& tokens);

private:
    struct Section {
        QString page, anchor, title, text;
    };
    const std::vector<Section>& sections() const;

    Parts m_parts;
    std::vector<HelpPage> m_pages;
    mutable QHash<QString, QString> m_html;
    mutable std::vector<Section> m_sections;
};

/// Makes the compiled-in pages reachable under ":/help"; calling it again does nothing.
void loadHelpFiles();

}  // namespace orrery
