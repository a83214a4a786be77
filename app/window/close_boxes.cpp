#include "app/window/close_boxes.h"

#include <QMessageBox>
#include <QObject>
#include <QPushButton>

#include "widgets/frame/job_list.h"

namespace orrery {

CloseAnswer askToEnd(const CloseQuestion& question, QWidget* window) {
    QMessageBox box(QMessageBox::Question, question.title, question.question, QMessageBox::Cancel,
                    window);
    box.setObjectName(QStringLiteral("closeBox"));
    box.setInformativeText(question.remark);
    QPushButton* later = nullptr;
    if (question.canFinish) {
        later = box.addButton(question.finishText.isEmpty() ? QObject::tr("&Finish it, then quit")
                                                            : question.finishText,
                              QMessageBox::AcceptRole);
        later->setObjectName(QStringLiteral("finishThenQuit"));
        box.setDefaultButton(later);
    }
    auto* now = box.addButton(question.endText, QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("cancelAndQuit"));
    box.exec();
    if (box.clickedButton() == now) return CloseAnswer::EndNow;
    return later != nullptr && box.clickedButton() == later ? CloseAnswer::FinishFirst
                                                            : CloseAnswer::Stay;
}

bool mayDropJobs(const JobList& jobs, QWidget* window) {
    QStringList titles;
    for (const JobList::Job& job : jobs.jobs())
        if (job.state == JobList::State::Running) titles << job.title;
    if (titles.isEmpty()) return true;
    QMessageBox box(QMessageBox::Question, QObject::tr("Work is going on"),
                    QObject::tr("Quit and cancel %1?").arg(titles.join(QStringLiteral(", "))),
                    QMessageBox::Cancel, window);
    box.setObjectName(QStringLiteral("jobsBox"));
    box.setInformativeText(QObject::tr("What it has not written yet is not written."));
    auto* now = box.addButton(QObject::tr("Cancel it and &quit"), QMessageBox::DestructiveRole);
    now->setObjectName(QStringLiteral("cancelJobsAndQuit"));
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == now;
}

}  // namespace orrery
