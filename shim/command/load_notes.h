// Prints what people should know of a load beside its numbers: skipped files, new columns, fields without one, rejected rows.
#ifndef LOGQUERY_SHIM_COMMAND_LOAD_NOTES_H_
#define LOGQUERY_SHIM_COMMAND_LOAD_NOTES_H_

#include "shim/command/commands.h"
#include "shim/command/loading.h"

namespace logquery::shim {

// On Terminal::err, a line each.
void PrintLoadNotes(const LoadTotals& totals, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_LOAD_NOTES_H_
