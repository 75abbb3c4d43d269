// The parts of JSON values that change containers or compare, compiled once for both orders of members.
#include "lib/base/json/value.h"

#include <algorithm>

namespace logquery::base {
namespace {

constexpr const char* kNames[] = {"null",     "a boolean", "a number", "a number",
                                  "a number", "a string",  "an array", "an object"};

const char* NameOf(JsonKind kind) { return kNames[static_cast<size_t>(kind)]; }

Json::Object::iterator FindMember(Json::Object& members, std::string_view key) {
  return std::find_if(members.begin(), members.end(), [key](const auto& member) { return member.first == key; });
}

SortedJson::Object::iterator FindMember(SortedJson::Object& members, std::string_view key) { return members.find(key); }

Json::Object::iterator AddMember(Json::Object& members, std::string_view key, Json value) {
  members.emplace_back(std::string(key), std::move(value));
  return std::prev(members.end());
}

SortedJson::Object::iterator AddMember(SortedJson::Object& members, std::string_view key, SortedJson value) {
  return members.emplace(std::string(key), std::move(value)).first;
}

bool IsMember(const auto& init) {
  return init.value().is_array() && init.value().size() == 2 && init.value()[size_t{0}].is_string();
}

// The places of kinds in the order of values.
int Rank(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return 0;
    case JsonKind::kBool:
      return 1;
    case JsonKind::kSigned:
    case JsonKind::kUnsigned:
    case JsonKind::kDouble:
      return 2;
    case JsonKind::kObject:
      return 3;
    case JsonKind::kArray:
      return 4;
    case JsonKind::kString:
      return 5;
  }
  return 0;
}

// Returns whether two numbers of any kinds have a relation. Whole numbers are compared exactly; beside a FLOAT64 both are such.
template <typename Value, typename Relation>
bool CompareNumbers(const Value& a, const Value& b, Relation relation) {
  if (a.is_number_float() || b.is_number_float()) return relation(a.template get<double>(), b.template get<double>());
  const auto is_below_zero = [](const Value& v) { return !v.is_number_unsigned() && v.template get<int64_t>() < 0; };
  if (is_below_zero(a) != is_below_zero(b)) return relation(is_below_zero(a) ? 0 : 1, is_below_zero(b) ? 0 : 1);
  return relation(a.template get<uint64_t>(), b.template get<uint64_t>());
}

}  // namespace

template <bool kSorted>
BasicJson<kSorted>::BasicJson(std::string value) : kind_(JsonKind::kString) {
  data_.string = new std::string(std::move(value));
}

template <bool kSorted>
BasicJson<kSorted>::BasicJson(Array elements) : kind_(JsonKind::kArray) {
  data_.array = new Array(std::move(elements));
}

template <bool kSorted>
BasicJson<kSorted>::BasicJson(InitList list) {
  if (std::all_of(list.begin(), list.end(), [](const Init& init) { return IsMember(init); })) {
    MakeObject(list);
  } else {
    *this = array(list);
  }
}

template <bool kSorted>
BasicJson<kSorted>::BasicJson(const BasicJson& other) : data_(other.data_) {
  if (other.is_string()) data_.string = new std::string(*other.data_.string);
  if (other.is_array()) data_.array = new Array(*other.data_.array);
  if (other.is_object()) data_.object = new Object(*other.data_.object);
  kind_ = other.kind_;
}

template <bool kSorted>
BasicJson<kSorted> BasicJson<kSorted>::array(InitList list) {
  Array elements;
  elements.reserve(list.size());
  for (const Init& init : list) elements.push_back(init.Take());
  return BasicJson(std::move(elements));
}

template <bool kSorted>
BasicJson<kSorted> BasicJson<kSorted>::object(InitList list) {
  if (!std::all_of(list.begin(), list.end(), [](const Init& init) { return IsMember(init); })) {
    throw JsonTypeError("an object is made of pairs of a string and a value");
  }
  BasicJson made;
  made.MakeObject(list);
  return made;
}

template <bool kSorted>
void BasicJson<kSorted>::MakeObject(InitList list) {
  data_.object = new Object();
  kind_ = JsonKind::kObject;
  for (const Init& init : list) {
    BasicJson member = init.Take();
    emplace(member[size_t{0}].text(), std::move(member[size_t{1}]));
  }
}

template <bool kSorted>
void BasicJson<kSorted>::FreeContainer(std::vector<BasicJson>& inner) {
  for (BasicJson& value : *this) {
    if (value.is_structured() && !value.empty()) inner.push_back(std::move(value));
  }
  if (is_array()) delete data_.array;
  if (is_object()) delete data_.object;
  kind_ = JsonKind::kNull;
}

// Works without recursion: some values are nested deeper than the stack allows.
template <bool kSorted>
void BasicJson<kSorted>::Free() {
  if (is_string()) {
    delete data_.string;
    kind_ = JsonKind::kNull;
    return;
  }
  std::vector<BasicJson> inner;
  FreeContainer(inner);
  while (!inner.empty()) {
    BasicJson value = std::move(inner.back());
    inner.pop_back();
    value.FreeContainer(inner);
  }
}

template <bool kSorted>
void BasicJson<kSorted>::ThrowWrongKind(JsonKind wanted) const {
  throw JsonTypeError(std::string("a JSON value must be ") + NameOf(wanted) + ", is " + NameOf(kind_));
}

template <bool kSorted>
size_t BasicJson<kSorted>::size() const {
  if (is_array()) return data_.array->size();
  if (is_object()) return data_.object->size();
  return is_null() ? 0 : 1;
}

template <bool kSorted>
typename BasicJson<kSorted>::Object& BasicJson<kSorted>::items() {
  return const_cast<Object&>(std::as_const(*this).items());
}

template <bool kSorted>
const typename BasicJson<kSorted>::Object& BasicJson<kSorted>::items() const {
  static const Object* const none = new Object();
  return is_object() ? *data_.object : *none;
}

template <bool kSorted>
typename BasicJson<kSorted>::iterator BasicJson<kSorted>::find(std::string_view key) {
  return is_object() ? iterator(FindMember(*data_.object, key)) : end();
}

template <bool kSorted>
typename BasicJson<kSorted>::const_iterator BasicJson<kSorted>::find(std::string_view key) const {
  return const_cast<BasicJson*>(this)->find(key);
}

template <bool kSorted>
BasicJson<kSorted>& BasicJson<kSorted>::operator[](std::string_view key) {
  if (is_null()) *this = object();
  Require(JsonKind::kObject);
  auto member = FindMember(*data_.object, key);
  if (member == data_.object->end()) member = AddMember(*data_.object, key, nullptr);
  return member->second;
}

template <bool kSorted>
const BasicJson<kSorted>& BasicJson<kSorted>::operator[](std::string_view key) const {
  static const BasicJson* const null = new BasicJson();
  const const_iterator found = find(key);
  return found == end() ? *null : *found;
}

template <bool kSorted>
const BasicJson<kSorted>& BasicJson<kSorted>::at(std::string_view key) const {
  Require(JsonKind::kObject);
  const const_iterator found = find(key);
  if (found == end()) throw JsonTypeError("an object of JSON has no member \"" + std::string(key) + "\"");
  return *found;
}

template <bool kSorted>
std::pair<typename BasicJson<kSorted>::iterator, bool> BasicJson<kSorted>::emplace(std::string_view key,
                                                                                   BasicJson value) {
  if (is_null()) *this = object();
  Require(JsonKind::kObject);
  const auto member = FindMember(*data_.object, key);
  if (member != data_.object->end()) return {iterator(member), false};
  return {iterator(AddMember(*data_.object, key, std::move(value))), true};
}

template <bool kSorted>
void BasicJson<kSorted>::update(const BasicJson& other) {
  other.Require(JsonKind::kObject);
  for (const auto& [key, value] : other.items()) Add(key, value);
}

template <bool kSorted>
size_t BasicJson<kSorted>::erase(std::string_view key) {
  Require(JsonKind::kObject);
  const auto member = FindMember(*data_.object, key);
  if (member == data_.object->end()) return 0;
  data_.object->erase(member);
  return 1;
}

template <bool kSorted>
const BasicJson<kSorted>& BasicJson<kSorted>::operator[](size_t index) const {
  Require(JsonKind::kArray);
  if (index >= data_.array->size()) {
    throw JsonTypeError("an array of JSON with " + std::to_string(data_.array->size()) + " elements has none at " +
                        std::to_string(index));
  }
  return (*data_.array)[index];
}

template <bool kSorted>
typename BasicJson<kSorted>::Array& BasicJson<kSorted>::ElementsToAdd() {
  if (is_null()) *this = array();
  Require(JsonKind::kArray);
  return *data_.array;
}

template <bool kSorted>
void BasicJson<kSorted>::insert(const const_iterator& place, BasicJson value) {
  Array& elements = ElementsToAdd();
  elements.insert(elements.begin() + (place.element_ - elements.data()), std::move(value));
}

template <bool kSorted>
void BasicJson<kSorted>::insert(const const_iterator& place, const const_iterator& first, const const_iterator& last) {
  Array& elements = ElementsToAdd();
  elements.insert(elements.begin() + (place.element_ - elements.data()), first.element_, last.element_);
}

template <bool kSorted>
void BasicJson<kSorted>::erase(size_t index) {
  Require(JsonKind::kArray);
  if (index < size()) data_.array->erase(data_.array->begin() + static_cast<std::ptrdiff_t>(index));
}

template <bool kSorted>
typename BasicJson<kSorted>::iterator BasicJson<kSorted>::erase(const const_iterator& place) {
  if (is_object()) return iterator(data_.object->erase(place.member_));
  Require(JsonKind::kArray);
  const std::ptrdiff_t index = place.element_ - data_.array->data();
  data_.array->erase(data_.array->begin() + index);
  return iterator(data_.array->data() + index);
}

template <bool kSorted>
void BasicJson<kSorted>::clear() {
  if (is_string()) return data_.string->clear();
  if (is_object()) return data_.object->clear();
  Require(JsonKind::kArray);
  data_.array->clear();
}

template <bool kSorted>
bool BasicJson<kSorted>::operator==(const BasicJson& other) const {
  if (is_number() && other.is_number()) return CompareNumbers(*this, other, [](auto a, auto b) { return a == b; });
  if (kind_ != other.kind_) return false;
  switch (kind_) {
    case JsonKind::kBool:
      return data_.boolean == other.data_.boolean;
    case JsonKind::kString:
      return *data_.string == *other.data_.string;
    case JsonKind::kArray:
      return *data_.array == *other.data_.array;
    case JsonKind::kObject:
      return *data_.object == *other.data_.object;
    default:
      return true;
  }
}

template <bool kSorted>
bool BasicJson<kSorted>::operator<(const BasicJson& other) const {
  if (is_number() && other.is_number()) return CompareNumbers(*this, other, [](auto a, auto b) { return a < b; });
  if (kind_ != other.kind_) return Rank(kind_) < Rank(other.kind_);
  switch (kind_) {
    case JsonKind::kBool:
      return data_.boolean < other.data_.boolean;
    case JsonKind::kString:
      return *data_.string < *other.data_.string;
    case JsonKind::kArray:
      return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
    case JsonKind::kObject: {
      const auto less = [](const auto& a, const auto& b) {
        return a.first < b.first || (a.first == b.first && a.second < b.second);
      };
      return std::lexicographical_compare(items().begin(), items().end(), other.items().begin(), other.items().end(),
                                          less);
    }
    default:
      return false;
  }
}

template class BasicJson<false>;
template class BasicJson<true>;

}  // namespace logquery::base
