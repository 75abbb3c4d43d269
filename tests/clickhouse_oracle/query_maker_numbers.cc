// Makes expressions of integers and floats, and lists of integers.
#include "tests/clickhouse_oracle/query_maker_impl.h"

namespace logquery::clickhouse_oracle {

using base::StrCat;

std::string Maker::IntLiteral() {
  return OneOf(
      {"0", "1", "2", "3", "5", "7", "10", "-1", "-3", "100", "200", "255", "256", "-129", "65536", "2147483648"});
}

std::string Maker::Number(const Source& source, int depth) {
  return Chance(60) ? Int(source, depth) : Float(source, depth);
}

std::string Maker::Int(const Source& source, int depth) {
  if (depth <= 0) {
    switch (Below(6)) {
      case 0:
        return IntLiteral();
      case 1:
        return StrCat("length(", Text(source, 0), ")");
      case 2:
        return Column(Kind::kInt, source, IntLiteral());
      default: {
        const std::string type = OneOf({"Int32", "Int32", "Int64", "UInt8", "Int8", "UInt16", "Int16", "UInt32"});
        return StrCat("to", type, OneOf({"OrZero(", "OrZero(", "OrNull("}), Text(source, 0), ")");
      }
    }
  }
  const auto inner = [&] { return Int(source, depth - 1); };
  switch (Below(22)) {
    case 0:
      return StrCat("(", inner(), " + ", inner(), ")");
    case 1:
      return StrCat("(", inner(), " - ", inner(), ")");
    case 2:
      return StrCat("(", inner(), " * ", inner(), ")");
    case 3:
      return StrCat("intDiv(", inner(), ", ", OneOf({"2", "-3", "100", "7"}), ")");
    case 4:
      return StrCat("(", inner(), " % ", OneOf({"2", "-3", "100", "7"}), ")");
    case 5:
      return StrCat(OneOf({"abs(", "negate(", "-("}), inner(), ")");
    case 6:
      return StrCat(OneOf({"toInt32(", "toInt64(", "toUInt8(", "toInt8(", "toUInt16(", "toInt16(", "toUInt32("}),
                    inner(), ")");
    case 7:
      return StrCat("if(", Condition(source, depth - 1), ", ", inner(), ", ", inner(), ")");
    case 8:
      return StrCat(OneOf({"least(", "greatest("}), inner(), ", ", inner(), ")");
    case 9:
      return StrCat(OneOf({"bitAnd(", "bitOr(", "bitXor("}), inner(), ", ", OneOf({"1", "3", "255", "256"}), ")");
    case 10:
      return StrCat("dateDiff('", Unit(), "', ", AnyTime(source, depth - 1), ", ", AnyTime(source, depth - 1), ")");
    case 11:
      return StrCat(OneOf({"toHour(", "toMinute(", "toSecond(", "toDayOfMonth(", "toMonth(", "toYear(",
                           "toUnixTimestamp(", "toYYYYMM("}),
                    DateTime(source, depth - 1), ")");
    case 12:
      return StrCat(OneOf({"length(", "lengthUTF8("}), Text(source, depth - 1), ")");
    case 13:
      return StrCat(OneOf({"position(", "positionCaseInsensitive("}), Text(source, depth - 1), ", ", TextLiteral(),
                    ")");
    case 14:
      return StrCat(OneOf({"arraySum(", "length(", "arrayMax(", "arrayMin("}), Ints(source, depth - 1), ")");
    case 15:
      return StrCat("(", Condition(source, depth - 1), ")");
    case 16:
      return StrCat("coalesce(", inner(), ", ", IntLiteral(), ")");
    case 17:
      return StrCat("nullIf(", inner(), ", ", IntLiteral(), ")");
    case 18:
      return StrCat("JSONExtractInt(", Text(source, 0), ", ",
                    OneOf({"'n'", "'l', 1", "'l', -2", "'nothing'", "'f'", "'s'"}), ")");
    case 19:
      return StrCat("round(", inner(), ", ", OneOf({"0", "-1", "-2", "2"}), ")");
    case 20:
      return StrCat("multiIf(", Condition(source, 0), ", ", inner(), ", ", Condition(source, 0), ", ", inner(), ", ",
                    inner(), ")");
    default:
      return StrCat(Ints(source, depth - 1), "[", OneOf({"1", "2", "-1", "9"}), "]");
  }
}

std::string Maker::Float(const Source& source, int depth) {
  if (depth <= 0) {
    switch (Below(5)) {
      case 0:
        return OneOf({"0.5", "2.5", "-1.25", "1e3", "100.0"});
      case 1:
        return Column(Kind::kFloat, source, "1.5");
      default:
        return StrCat(OneOf({"toFloat64OrZero(", "toFloat64OrZero(", "toFloat64OrNull("}), Text(source, 0), ")");
    }
  }
  const auto inner = [&] { return Float(source, depth - 1); };
  switch (Below(10)) {
    case 0:
    case 1:
      return StrCat("(", Number(source, depth - 1), " / ", Number(source, depth - 1), ")");
    case 2:
      return StrCat("(", inner(), OneOf({" + ", " - ", " * "}), Number(source, depth - 1), ")");
    case 3:
      return StrCat("round(", inner(), OneOf({"", ", 1", ", 2", ", -1"}), ")");
    case 4:
      return StrCat(OneOf({"floor(", "ceil(", "trunc(", "abs("}), inner(), ")");
    case 5:
      return StrCat(OneOf({"sqrt(", "log(", "exp(", "log10("}), Number(source, depth - 1), ")");
    case 6:
      return StrCat("toFloat64(", Int(source, depth - 1), ")");
    case 7:
      return StrCat("if(", Condition(source, depth - 1), ", ", inner(), ", ", Number(source, depth - 1), ")");
    case 8:
      return StrCat(OneOf({"coalesce(", "least(", "greatest("}), inner(), ", ", inner(), ")");
    default:
      return StrCat("arrayAvg(", Ints(source, depth - 1), ")");
  }
}

std::string Maker::Ints(const Source& source, int depth) {
  if (depth <= 0) {
    switch (Below(4)) {
      case 0:
        return Column(Kind::kInts, source, "[3, 1, 2]");
      case 1:
        return OneOf({"[1, 2, 3]", "[-1, 300]", "range(4)", "range(2, 9, 3)", "[7]"});
      default:
        return StrCat("[", Int(source, 0), ", ", Int(source, 0), "]");
    }
  }
  const auto inner = [&] { return Ints(source, depth - 1); };
  switch (Below(7)) {
    case 0:
      return StrCat("arrayMap(x -> ", OneOf({"x + 1", "x * 2", "x % 2", "abs(x)", "if(x > 1, x, 0)"}), ", ", inner(),
                    ")");
    case 1:
      return StrCat("arrayFilter(x -> ", OneOf({"x > 1", "x != 2", "x % 2 = 1"}), ", ", inner(), ")");
    case 2:
      return StrCat(
          OneOf({"arraySort(", "arrayReverseSort(", "arrayReverse(", "arrayDistinct(", "arraySort(x -> -x, "}), inner(),
          ")");
    case 3:
      return StrCat("arraySlice(", inner(), OneOf({", 1, 2)", ", 2)", ", -2)", ", -2, 1)"}));
    case 4:
      return StrCat("arrayConcat(", inner(), ", ", inner(), ")");
    case 5:
      return StrCat("arrayMap(x -> length(x), ", Texts(source, depth - 1), ")");
    default:
      return StrCat("[", Int(source, depth - 1), ", ", IntLiteral(), "]");
  }
}

}  // namespace logquery::clickhouse_oracle
