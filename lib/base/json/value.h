// A JSON value: null, a boolean, a number, a string, an array or an object. A light header, for values that are built, read or
// written anywhere; read.h parses text.
//
//     Json report{{"rows", 3}, {"logs", Json::array()}};
//     report["logs"].push_back("edge");
//     report.ToString();                        // {"rows":3,"logs":["edge"]}
//     if (const auto found = report.find("rows"); found != report.end() && found->is_number_integer()) …
//
// Json keeps the members of an object in the order in which they were added, and searches them one by one: for objects of at most
// a few thousand members. SortedJson orders members by key and has no such limit. The value owns all that is in it; a move leaves
// null behind. Functions that need another kind of value than this one throw JsonTypeError, as do reads outside of an array.
// Const values may be read by several threads.
#ifndef LOGQUERY_LIB_BASE_JSON_VALUE_H_
#define LOGQUERY_LIB_BASE_JSON_VALUE_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace logquery::base {

class JsonTypeError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

enum class JsonKind : uint8_t { kNull, kBool, kSigned, kUnsigned, kDouble, kString, kArray, kObject };

template <bool kSorted>
class BasicJson;

using Json = BasicJson<false>;
using SortedJson = BasicJson<true>;

// Goes over the elements of an array or the values of an object's members.
template <typename Value, typename MemberIterator>
class JsonIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;

  JsonIterator() = default;
  explicit JsonIterator(Value* element) : element_(element) {}
  explicit JsonIterator(MemberIterator member) : is_member_(true), member_(member) {}
  // Converts an iterator over values that may change to one over values that may not.
  // NOLINTBEGIN(google-explicit-constructor)
  template <typename OtherValue, typename OtherMember>
  requires std::convertible_to<OtherMember, MemberIterator> JsonIterator(
      const JsonIterator<OtherValue, OtherMember>& other)
      : element_(other.element_), is_member_(other.is_member_), member_(other.member_) {}
  // NOLINTEND(google-explicit-constructor)

  Value& operator*() const { return is_member_ ? member_->second : *element_; }
  Value* operator->() const { return &**this; }
  // The member's key; the iterator must be one over an object.
  const std::string& key() const { return member_->first; }
  Value& value() const { return **this; }

  JsonIterator& operator++() { return is_member_ ? (++member_, *this) : (++element_, *this); }
  JsonIterator& operator--() { return is_member_ ? (--member_, *this) : (--element_, *this); }
  JsonIterator operator++(int) {
    JsonIterator before = *this;
    ++*this;
    return before;
  }
  JsonIterator operator--(int) {
    JsonIterator before = *this;
    --*this;
    return before;
  }
  // Arrays only.
  JsonIterator operator+(difference_type count) const { return JsonIterator(element_ + count); }
  JsonIterator operator-(difference_type count) const { return JsonIterator(element_ - count); }
  difference_type operator-(const JsonIterator& other) const { return element_ - other.element_; }

  template <typename OtherValue, typename OtherMember>
  bool operator==(const JsonIterator<OtherValue, OtherMember>& other) const {
    return is_member_ ? member_ == other.member_ : element_ == other.element_;
  }

 private:
  template <typename OtherValue, typename OtherMember>
  friend class JsonIterator;
  template <bool kSorted>
  friend class BasicJson;

  Value* element_ = nullptr;
  bool is_member_ = false;
  MemberIterator member_{};
};

template <bool kSorted>
class BasicJson {
 public:
  using Array = std::vector<BasicJson>;
  using Object = std::conditional_t<kSorted, std::map<std::string, BasicJson, std::less<>>,
                                    std::vector<std::pair<std::string, BasicJson>>>;
  using iterator = JsonIterator<BasicJson, typename Object::iterator>;
  using const_iterator = JsonIterator<const BasicJson, typename Object::const_iterator>;
  using value_type = BasicJson;

  // An element of a list in braces. It owns a value that may be moved out of the list.
  class Init;
  using InitList = std::initializer_list<Init>;

  // NOLINTBEGIN(google-explicit-constructor): values are made from what they hold.
  BasicJson() = default;
  BasicJson(std::nullptr_t) {}
  template <std::same_as<bool> T>
  BasicJson(T value) : kind_(JsonKind::kBool) {
    data_.boolean = value;
  }
  template <std::signed_integral T>
  BasicJson(T value) : kind_(JsonKind::kSigned) {
    data_.integer = value;
  }
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) BasicJson(T value) : kind_(JsonKind::kUnsigned) { data_.natural = value; }
  template <std::floating_point T>
  BasicJson(T value) : kind_(JsonKind::kDouble) {
    data_.number = static_cast<double>(value);
  }
  BasicJson(std::string value);
  BasicJson(std::string_view value) : BasicJson(std::string(value)) {}
  BasicJson(const char* value) : BasicJson(std::string(value)) {}
  BasicJson(Array elements);
  template <typename T>
  requires(!std::same_as<T, BasicJson> && std::constructible_from<BasicJson, const T&>)
      BasicJson(const std::vector<T>& elements)
      : BasicJson(Array(elements.begin(), elements.end())) {}
  template <typename T>
  BasicJson(const std::map<std::string, T>& members) : BasicJson(object()) {
    for (const auto& [key, value] : members) Add(key, value);
  }
  // An object if each element is a list of a string and a value, otherwise an array.
  BasicJson(InitList list);
  // NOLINTEND(google-explicit-constructor)

  BasicJson(const BasicJson& other);
  BasicJson(BasicJson&& other) noexcept : kind_(other.kind_), data_(other.data_) { other.kind_ = JsonKind::kNull; }
  BasicJson& operator=(BasicJson other) noexcept {
    swap(other);
    return *this;
  }
  ~BasicJson() {
    if (kind_ >= JsonKind::kString) Free();
  }
  void swap(BasicJson& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(data_, other.data_);
  }

  static BasicJson array(InitList list = {});
  static BasicJson object(InitList list = {});

  JsonKind kind() const { return kind_; }
  bool is_null() const { return kind_ == JsonKind::kNull; }
  bool is_boolean() const { return kind_ == JsonKind::kBool; }
  bool is_number() const { return kind_ >= JsonKind::kSigned && kind_ <= JsonKind::kDouble; }
  bool is_number_integer() const { return kind_ == JsonKind::kSigned || is_number_unsigned(); }
  // True for whole numbers without a sign that were read, and for values of unsigned types.
  bool is_number_unsigned() const { return kind_ == JsonKind::kUnsigned; }
  bool is_number_float() const { return kind_ == JsonKind::kDouble; }
  bool is_string() const { return kind_ == JsonKind::kString; }
  bool is_array() const { return kind_ == JsonKind::kArray; }
  bool is_object() const { return kind_ == JsonKind::kObject; }
  bool is_structured() const { return kind_ >= JsonKind::kArray; }
  bool is_primitive() const { return !is_structured(); }

  // Converts to bool, std::string, an integer or floating type (any number; no check of the range), or a vector of these.
  template <typename T>
  T get() const;
  // The string, borrowed.
  const std::string& text() const {
    Require(JsonKind::kString);
    return *data_.string;
  }

  // Elements of an array, members of an object; 0 of null, 1 of others.
  size_t size() const;
  bool empty() const { return size() == 0; }

  iterator begin() { return Begin<iterator>(*this); }
  iterator end() { return End<iterator>(*this); }
  const_iterator begin() const { return Begin<const_iterator>(*this); }
  const_iterator end() const { return End<const_iterator>(*this); }

  // The members of an object as pairs of key and value; none of other values.
  const Object& items() const;
  Object& items();

  // Members. A value that is no object has none. The const operator returns null for a missing member; the other one adds it, and
  // makes an object of null.
  iterator find(std::string_view key);
  const_iterator find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != end(); }
  BasicJson& operator[](std::string_view key);
  const BasicJson& operator[](std::string_view key) const;
  const BasicJson& at(std::string_view key) const;
  BasicJson& at(std::string_view key) { return const_cast<BasicJson&>(std::as_const(*this).at(key)); }
  // The member converted; `fallback` if there is none. The value must be an object.
  template <typename T>
  T value(std::string_view key, T fallback) const {
    Require(JsonKind::kObject);
    const const_iterator found = find(key);
    return found == end() ? std::move(fallback) : found->template get<T>();
  }
  std::string value(std::string_view key, const char* fallback) const {
    return value<std::string>(key, std::string(fallback));
  }
  // Adds a member unless there is one of this key. Returns where it is, and whether it was added.
  std::pair<iterator, bool> emplace(std::string_view key, BasicJson value);
  // Adds the members of an object, and replaces those that there are.
  void update(const BasicJson& other);
  size_t erase(std::string_view key);

  // Elements. Null becomes an array when elements are added.
  BasicJson& operator[](size_t index) { return const_cast<BasicJson&>(std::as_const(*this)[index]); }
  const BasicJson& operator[](size_t index) const;
  const BasicJson& front() const { return *begin(); }
  BasicJson& front() { return *begin(); }
  const BasicJson& back() const { return (*this)[size() - 1]; }
  BasicJson& back() { return (*this)[size() - 1]; }
  void push_back(BasicJson value) { ElementsToAdd().push_back(std::move(value)); }
  void push_back(InitList list) { push_back(BasicJson(list)); }
  template <typename... Arguments>
  BasicJson& emplace_back(Arguments&&... arguments) {
    push_back(BasicJson(std::forward<Arguments>(arguments)...));
    return back();
  }
  void insert(const const_iterator& place, BasicJson value);
  void insert(const const_iterator& place, const const_iterator& first, const const_iterator& last);
  void erase(size_t index);
  iterator erase(const const_iterator& place);
  // Empties an array, object or string.
  void clear();

  // JSON text: on one line, or with each element and member on a line, indented by `indent` spaces for each level. Invalid UTF-8
  // becomes U+FFFD, and a number that is not finite null. Recurses; readers limit the depth.
  std::string ToString(int indent = -1) const;

  // Numbers are equal if their values are. Objects that keep their order are equal only in the same order.
  bool operator==(const BasicJson& other) const;
  // Compares by kind (null, booleans, numbers, objects, arrays, strings), then by value.
  bool operator<(const BasicJson& other) const;

 private:
  union Data {
    bool boolean;
    int64_t integer;
    uint64_t natural = 0;
    double number;
    // Owned. Plain pointers keep a value at 16 bytes and this header free of the containers' code.
    std::string* string;
    Array* array;
    Object* object;
  };

  template <typename Iterator, typename Self>
  static Iterator Begin(Self& self) {
    if (self.is_object()) return Iterator(self.data_.object->begin());
    return Iterator(self.is_array() ? self.data_.array->data() : nullptr);
  }
  template <typename Iterator, typename Self>
  static Iterator End(Self& self) {
    if (self.is_object()) return Iterator(self.data_.object->end());
    return Iterator(self.is_array() ? self.data_.array->data() + self.data_.array->size() : nullptr);
  }

  void Require(JsonKind kind) const {
    if (kind_ != kind) ThrowWrongKind(kind);
  }
  [[noreturn]] void ThrowWrongKind(JsonKind wanted) const;
  template <typename T>
  T Number() const;
  Array& ElementsToAdd();
  void Add(std::string_view key, BasicJson value) { (*this)[key] = std::move(value); }
  void MakeObject(InitList list);
  void Free();
  // Frees the container, and moves the containers in it to `inner`.
  void FreeContainer(std::vector<BasicJson>& inner);

  JsonKind kind_ = JsonKind::kNull;
  Data data_;
};

template <bool kSorted>
class BasicJson<kSorted>::Init {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  Init(BasicJson value) : value_(std::move(value)) {}
  Init(InitList list) : value_(list) {}
  template <typename... Arguments>
  requires std::constructible_from<BasicJson, Arguments...> Init(Arguments&&... arguments)
      : value_(std::forward<Arguments>(arguments)...) {}
  // NOLINTEND(google-explicit-constructor)

  const BasicJson& value() const { return value_; }
  BasicJson Take() const { return std::move(value_); }

 private:
  mutable BasicJson value_;
};

template <bool kSorted>
template <typename T>
T BasicJson<kSorted>::Number() const {
  switch (kind_) {
    case JsonKind::kSigned:
      return static_cast<T>(data_.integer);
    case JsonKind::kUnsigned:
      return static_cast<T>(data_.natural);
    case JsonKind::kDouble:
      return static_cast<T>(data_.number);
    default:
      ThrowWrongKind(JsonKind::kDouble);
  }
}

template <typename T>
struct JsonVectorElement;
template <typename T>
struct JsonVectorElement<std::vector<T>> {
  using Type = T;
};

template <bool kSorted>
template <typename T>
T BasicJson<kSorted>::get() const {
  if constexpr (std::same_as<T, BasicJson>) {
    return *this;
  } else if constexpr (std::same_as<T, bool>) {
    Require(JsonKind::kBool);
    return data_.boolean;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return Number<T>();
  } else if constexpr (std::same_as<T, std::string>) {
    return text();
  } else {
    Require(JsonKind::kArray);
    T list;
    for (const BasicJson& element : *this) list.push_back(element.template get<typename JsonVectorElement<T>::Type>());
    return list;
  }
}

extern template class BasicJson<false>;
extern template class BasicJson<true>;

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_VALUE_H_
