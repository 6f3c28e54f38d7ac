#include "ngrams/answers.hpp"

#include <cstring>
#include <string_view>

#include "machine/bits.hpp"
#include "text/tokenizer.hpp"

namespace bleuet {
namespace {

// What a byte is to SQuAD's scripts. An article is a whole run of letters and digits.
enum class Kind : std::uint8_t { alphanumeric, punctuation, space, other, beyond_ascii };

constexpr Kind kind_of(unsigned char c) {
  if (c >= 128) return Kind::beyond_ascii;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
    return Kind::alphanumeric;
  }
  if (c > ' ' && c < 0x7F) return Kind::punctuation;
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F) ? Kind::space
                                                                          : Kind::other;
}

struct Bytes {
  Kind kinds[256] = {};
  char lower[256] = {};
  constexpr Bytes() {
    for (unsigned c = 0; c < 256; ++c) {
      kinds[c] = kind_of(static_cast<unsigned char>(c));
      lower[c] = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20u : c);
    }
  }
};
constexpr Bytes kBytes;

// Words of so short a right answer are compared with each other.
constexpr std::size_t kFewWords = 8;

bool is_article(const char* begin, std::size_t size) {
  if (size == 1) return begin[0] == 'a';
  if (size == 2) return begin[0] == 'a' && begin[1] == 'n';
  return size == 3 && std::memcmp(begin, "the", 3) == 0;
}

// Cuts a text into words in lower case, after its punctuation and articles were removed. Letters
// beyond ASCII are in lower case. The words point into `buffer`.
void normalize(std::string_view text, bool (*is_alphanumeric)(char32_t), std::vector<char>& buffer,
               TokenList& words) {
  if (buffer.size() < text.size() + kPadding) buffer.resize(2 * text.size() + kPadding);
  char* const out = buffer.data();
  std::size_t size = 0;
  std::size_t word = 0;  // where the word began that ends at `size`
  std::size_t run = 0;   // where the run of letters and digits began that ends there
  words.read_from({out, text.size()});
  const auto end_word = [&] {
    if (size > word) words.add(word, size);
    word = run = size;
  };
  const auto end_run = [&] {
    if (is_article(out + run, size - run)) {
      size = run;
      end_word();
    }
  };
  std::size_t i = 0;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    const Kind kind = kBytes.kinds[c];
    if (kind <= Kind::punctuation) {
      out[size] = kBytes.lower[c];
      size += kind == Kind::alphanumeric ? 1 : 0;
      ++i;
    } else if (kind == Kind::space) {
      end_run();
      end_word();
      ++i;
    } else {
      const Decoded found = kind == Kind::other ? Decoded{c, 1} : decode(text, i);
      const bool inside =
          kind != Kind::other && is_alphanumeric != nullptr && is_alphanumeric(found.value);
      if (!inside) end_run();
      if (is_space(found.value)) {
        end_word();
      } else {
        std::memcpy(out + size, text.data() + i, found.size);
        size += found.size;
        if (!inside) run = size;
      }
      i += found.size;
    }
  }
  end_run();
  end_word();
}

}  // namespace

AnswerCounter::AnswerCounter(const Options& options) : options_(options) {}

void AnswerCounter::prepare(const Text& text, Reference& reference) const {
  reference.tokens.clear();
  if (normalizes() && text.ascii) {
    const std::string_view ascii(static_cast<const char*>(text.data), text.length);
    normalize(ascii, nullptr, reference.normalized, reference.tokens);
    return;
  }
  const std::string_view utf8 = to_utf8(text, options_.letter_case, reference.utf8);
  reference.size = utf8.size();
  if (normalizes()) {
    normalize(utf8, options_.is_alphanumeric, reference.normalized, reference.tokens);
  } else {
    tokenize_none(utf8, reference.tokens);
  }
}

void AnswerCounter::trim(Reference& reference) {
  reference.tokens.own_text();
  reference.normalized = {};
  reference.utf8.resize(reference.size);
  reference.utf8.shrink_to_fit();
}

double AnswerCounter::score(const Reference& right) {
  if (options_.exact) return equals(right) ? 1 : 0;
  const TokenList& own = answer_.tokens;
  if (own.size() == 0 && right.tokens.size() == 0) return options_.rules == Rules::squad_2 ? 1 : 0;
  const std::int64_t same = shared(right.tokens);
  if (same == 0) return 0;
  const double precision = static_cast<double>(same) / static_cast<double>(own.size());
  const double recall = static_cast<double>(same) / static_cast<double>(right.tokens.size());
  return 2 * precision * recall / (precision + recall);
}

std::int64_t AnswerCounter::shared(const TokenList& right) {
  const TokenList& own = answer_.tokens;
  std::int64_t same = 0;
  if (right.size() > kFewWords) {
    const TokenList* const one = &right;
    matcher_.count(own, &one, 1, 1, &same);
    return same;
  }
  std::uint64_t left = (std::uint64_t{1} << right.size()) - 1;  // the words without a partner
  for (std::size_t i = 0; i < own.size() && left != 0; ++i) {
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const auto j = static_cast<std::size_t>(lowest_bit(rest));
      if (!same_token(own, own[i], right, right[j])) continue;
      left ^= std::uint64_t{1} << j;
      ++same;
      break;
    }
  }
  return same;
}

bool AnswerCounter::equals(const Reference& right) const {
  if (!normalizes()) {
    return std::string_view(answer_.utf8.data(), answer_.size) ==
           std::string_view(right.utf8.data(), right.size);
  }
  const TokenList& own = answer_.tokens;
  if (own.size() != right.tokens.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!same_token(own, own[i], right.tokens, right.tokens[i])) return false;
  }
  return true;
}

}  // namespace bleuet
