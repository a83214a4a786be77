#pragma once

// The only way to include qcustomplot.h: it uses Qt's keywords, which QT_NO_KEYWORDS switches off.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
