// Constructors of plan nodes that derive their columns or types.
#include "lib/rewrite/plan.h"

#include <utility>

namespace logquery::rewrite {

FieldRef::FieldRef(ScalarPtr b, int i)
    : Scalar(kKind, b->type.fields()[static_cast<size_t>(i)].type), base(std::move(b)), index(i) {}

Filter::Filter(PlanPtr i, ScalarPtr c) : Plan(kKind), input(std::move(i)), condition(std::move(c)) {
  columns = input->columns;
}

Join::Join(Type t, PlanPtr l, PlanPtr r, ScalarPtr on)
    : Plan(kKind), type(t), left(std::move(l)), right(std::move(r)), condition(std::move(on)) {
  columns = left->columns;
  columns.insert(columns.end(), right->columns.begin(), right->columns.end());
}

Sort::Sort(PlanPtr i, std::vector<OrderKey> k) : Plan(kKind), input(std::move(i)), keys(std::move(k)) {
  columns = input->columns;
}

Limit::Limit(PlanPtr i, ScalarPtr l, ScalarPtr o)
    : Plan(kKind), input(std::move(i)), limit(std::move(l)), offset(std::move(o)) {
  columns = input->columns;
}

}  // namespace logquery::rewrite
