#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "tests/app/program.h"

namespace orrery {

/// The program with a world and a workspace to train in.
class TrainBench {
protected:
    Program m_program;
    QString m_world, m_workspace;

    Ended run(QStringList arguments) const {
        arguments << "--workspace" << m_workspace;
        return m_program.run(arguments);
    }
    Ended train(const QStringList& more) const { return run(QStringList{"train", m_world} + more); }
    QString spec(const QString& name, const QByteArray& text) const {
        return m_program.write(name, text);
    }
    void makePlace() {
        m_world = m_program.write("rock.yaml", rockWorld());
        m_workspace = m_program.path("work.orrery");
    }
};

}  // namespace orrery
