#include "widgets/learned/span_text.h"

#include <QObject>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kTint = 0.55;

}  // namespace

QString spanName(SpanKind kind) {
    switch (kind) {
        case SpanKind::Collect:
            return QObject::tr("collect");
        case SpanKind::Encode:
            return QObject::tr("encode");
        case SpanKind::Forward:
            return QObject::tr("forward");
        case SpanKind::Scatter:
            return QObject::tr("scatter");
        case SpanKind::V_h_e:
            return QStringLiteral("V_h^e");
        case SpanKind::Conversion:
            return QObject::tr("tensor conversion");
        case SpanKind::Backward:
            return QObject::tr("backward");
        case SpanKind::Optimiser:
            return QObject::tr("optimiser");
        case SpanKind::Actor:
            return QObject::tr("actor");
        case SpanKind::Idle:
            return QObject::tr("idle");
        case SpanKind::Checkpoint:
            return QObject::tr("checkpoint");
        case SpanKind::Errors:
            return QObject::tr("error to exact");
        case SpanKind::Answers:
            return QObject::tr("answers");
        case SpanKind::Act:
            return QObject::tr("act");
        case SpanKind::HandOver:
            return QObject::tr("hand over");
        case SpanKind::Weights:
            return QObject::tr("new weights");
        case SpanKind::Throttled:
            return QObject::tr("throttled");
        case SpanKind::Paused:
            return QObject::tr("paused");
        case SpanKind::Waiting:
            return QObject::tr("waiting");
    }
    return {};
}

QString spanPlainName(SpanKind kind) {
    return kind == SpanKind::V_h_e ? QStringLiteral("Vₕᵉ") : spanName(kind);
}

QColor spanColor(SpanKind kind, const Tokens& t) {
    switch (kind) {
        case SpanKind::Collect:
        case SpanKind::HandOver:
            return t.data[0];
        case SpanKind::V_h_e:
            return t.data[1];
        case SpanKind::Forward:
            return t.data[2];
        case SpanKind::Scatter:
        case SpanKind::Weights:
            return t.data[3];
        case SpanKind::Backward:
            return t.data[4];
        case SpanKind::Encode:
            return t.world[6];
        case SpanKind::Actor:
        case SpanKind::Act:
            return t.data[6];
        case SpanKind::Optimiser:
            return t.data[7];
        case SpanKind::Checkpoint:
            return t.world[0];
        case SpanKind::Errors:
            return mixed(t.canvas, t.data[3], kTint);
        case SpanKind::Answers:
            return mixed(t.canvas, t.data[2], kTint);
        case SpanKind::Conversion:
            return t.strongBorder;
        case SpanKind::Idle:
        case SpanKind::Throttled:
        case SpanKind::Paused:
        case SpanKind::Waiting:
            break;
    }
    return t.text3;
}

}  // namespace orrery
