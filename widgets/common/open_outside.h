#pragma once

class QUrl;

namespace orrery {

/// Opens a folder, a file or a page of the web with the desktop's own program. Where the desktop
/// has none, its address is copied, and a tip beside the pointer says so.
void openOutside(const QUrl& url);

}  // namespace orrery
