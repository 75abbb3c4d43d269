// Moves equalities of both sides from a WHERE into the join below.
//
//     SELECT … FROM a CROSS JOIN b WHERE a.id = b.id AND a.n < b.n
//     becomes: SELECT … FROM a JOIN b ON a.id = b.id WHERE a.n < b.n
//
// Engines differ in whether they do this themselves; one that does not pairs all rows first. It is also what lets a join
// with such a condition be sent at all.
#ifndef LOGQUERY_LIB_SPLIT_JOIN_CONDITIONS_H_
#define LOGQUERY_LIB_SPLIT_JOIN_CONDITIONS_H_

#include "lib/rewrite/plan.h"

namespace logquery::split {

// Moves equalities into inner and cross joins. Equalities whose operands may raise an error stay.
void MoveEqualitiesIntoJoins(rewrite::PlanPtr& root);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_JOIN_CONDITIONS_H_
