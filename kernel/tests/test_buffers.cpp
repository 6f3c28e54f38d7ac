// Every counter on texts in buffers that end with them, so that a sanitizer sees what is read
// beyond; a string of Python has a terminator.
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "edits/character.hpp"
#include "edits/charcut.hpp"
#include "edits/eed.hpp"
#include "edits/ter.hpp"
#include "edits/wer.hpp"
#include "meteor/normalizer.hpp"
#include "ngrams/answers.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/gleu.hpp"
#include "ngrams/hlepor.hpp"
#include "ngrams/ribes.hpp"
#include "ngrams/rouge.hpp"
#include "ngrams/sari.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"

namespace bleuet {
namespace {

// A text in a buffer of its size.
class Exact {
 public:
  // `unit` is that of Text.
  Exact(const std::u32string& text, std::uint8_t unit) {
    // CPython stores ASCII in single bytes.
    bool ascii = unit <= 1;
    for (const char32_t c : text) {
      ascii = ascii && c < 0x80;
      if (unit == kUtf8) {
        add_utf8(c);
      } else {
        for (unsigned byte = 0; byte < unit; ++byte) add(c >> 8 * byte);
      }
    }
    bytes_.shrink_to_fit();
    text_ = {bytes_.data(), unit == kUtf8 ? bytes_.size() : text.size(), unit, ascii};
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  const Text& text() const { return text_; }
  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  void add(char32_t byte) { bytes_.push_back(static_cast<char>(byte & 0xFF)); }
  void add_utf8(char32_t c) {
    if (c < 0x80) return add(c);
    if (c < 0x800) {
      add(0xC0 | c >> 6);
    } else if (c < 0x10000) {
      add(0xE0 | c >> 12);
      add(0x80 | (c >> 6 & 0x3F));
    } else {
      add(0xF0 | c >> 18);
      add(0x80 | (c >> 12 & 0x3F));
      add(0x80 | (c >> 6 & 0x3F));
    }
    add(0x80 | (c & 0x3F));
  }

  std::vector<char> bytes_;
  Text text_;
};

using Row = std::vector<double>;

template <class Counter>
Row row(Counter& counter, const typename Counter::Options& options, const Text& hypothesis,
        const std::vector<typename Counter::Reference>& references) {
  std::vector<std::int64_t> integers(Counter::integers(options));
  Row reals(Counter::reals(options));
  counter.count(hypothesis, references.data(), references.size(), integers.data(), reals.data());
  reals.insert(reals.end(), integers.begin(), integers.end());
  return reals;
}

struct Pair {
  std::u32string hypothesis, reference;
  std::vector<std::uint8_t> units;  // that can hold them
};

std::vector<Pair> pairs() {
  struct Alphabet {
    std::u32string characters;
    std::vector<std::uint8_t> units;
  };
  const Alphabet alphabets[] = {
      {U"ab. ,1-&", {kUtf8, 1, 2, 4}},
      {U"aA \u00e9\u00a0.", {kUtf8, 1, 2, 4}},
      {U"a \u4e2d\u3002\u0451", {kUtf8, 2, 4}},
      {U"a \U0001F600\u4e2d\u00e9", {kUtf8, 4}},
  };
  std::mt19937 random(3);
  const auto drawn = [&](const std::u32string& characters, std::size_t length) {
    std::u32string text(length, U'\0');
    for (char32_t& c : text) c = characters[random() % characters.size()];
    return text;
  };
  std::vector<Pair> all;
  for (std::size_t length = 0; length < 140; length += length < 70 ? 1 : 7) {
    for (const Alphabet& one : alphabets) {
      all.push_back({drawn(one.characters, length),
                     drawn(one.characters, length == 0 ? 3 : random() % (2 * length)), one.units});
    }
  }
  return all;
}

// The row is the same in every unit, and with references that were trimmed and moved.
template <class Counter>
void test_counter(const std::vector<Pair>& all, const typename Counter::Options& options) {
  Counter counter(options);
  for (const Pair& one : all) {
    Row first;
    for (const std::uint8_t unit : one.units) {
      const Exact hypothesis(one.hypothesis, unit), reference(one.reference, unit);
      std::vector<typename Counter::Reference> references(1), moved;
      counter.prepare(reference.text(), references[0]);
      const Row found = row(counter, options, hypothesis.text(), references);
      if (first.empty()) first = found;
      check(found == first, "a row does not depend on how a text is stored");
      Counter::trim(references[0]);
      check(row(counter, options, hypothesis.text(), references) == first, "a trimmed reference");
      moved.push_back(std::move(references[0]));
      references = {};
      check(row(counter, options, hypothesis.text(), moved) == first, "a moved reference");
    }
  }
}

template <class Counter>
void test_tokenizers(const std::vector<Pair>& all) {
  typename Counter::Options options;
  for (const Tokenizer tokenizer :
       {Tokenizer::none, Tokenizer::v13a, Tokenizer::mteval_v13a, Tokenizer::intl, Tokenizer::zh,
        Tokenizer::zh_fixed, Tokenizer::character}) {
    options.tokenizer = tokenizer;
    test_counter<Counter>(all, options);
  }
}

void test_counters(const std::vector<Pair>& all) {
  test_tokenizers<BleuCounter>(all);
  test_counter<GleuCounter>(all, {});
  test_counter<AnswerCounter>(all, {});
  test_counter<RibesCounter>(all, {});
  test_counter<HleporCounter>(all, {});
  test_counter<SariCounter>(all, {});
  ChrfCounter::Options chrf;
  test_counter<ChrfCounter>(all, chrf);
  chrf.word_order = 2;
  chrf.whitespace = true;
  test_counter<ChrfCounter>(all, chrf);
  TerCounter::Options ter;
  test_counter<TerCounter>(all, ter);
  ter.normalized = ter.asian_support = ter.no_punct = true;
  test_counter<TerCounter>(all, ter);
  WerCounter::Options wer;
  test_counter<WerCounter>(all, wer);
  wer.characters = true;
  wer.moves = Moves::blocks;
  test_counter<WerCounter>(all, wer);
  test_counter<CharacterCounter>(all, {});
  test_counter<EedCounter>(all, {2.0, 0.3, 0.2, 1.0});
  test_counter<EedCounter>(all, {2.0, 0.3, 0.2, 1.0, true, true});
  CharCutCounter::Options charcut;
  charcut.is_alphanumeric = [](char32_t c) { return c % 3 != 0; };
  for (const std::size_t match_size : {std::size_t{1}, std::size_t{3}, std::size_t{50}}) {
    charcut.match_size = match_size;
    test_counter<CharCutCounter>(all, charcut);
  }
  RougeCounter::Options rouge;
  test_counter<RougeCounter>(all, rouge);
  for (const auto unit : {RougeCounter::Unit::weighted, RougeCounter::Unit::skip}) {
    rouge.unit = unit;
    rouge.unigrams = true;
    rouge.several = RougeCounter::Several::jackknife;
    test_counter<RougeCounter>(all, rouge);
  }
  rouge.unit = RougeCounter::Unit::sentences;
  rouge.tokenizer = Tokenizer::unicode_words;
  test_counter<RougeCounter>(all, rouge);
}

void test_normalizer(const std::vector<Pair>& all) {
  for (const bool no_punct : {false, true}) {
    const MeteorNormalizer normalize({{U"a", false}}, MeteorNormalizer::Apostrophes::english,
                                     no_punct);
    MeteorNormalizer::Scratch scratch;
    for (const Pair& one : all) {
      const std::u32string first = normalize(Exact(one.hypothesis, 4).text(), scratch);
      for (const std::uint8_t unit : one.units) {
        check(normalize(Exact(one.hypothesis, unit).text(), scratch) == first, "a normalized text");
      }
    }
  }
}

void test_lines(const std::vector<Pair>& all) {
  for (const Pair& one : all) {
    const Exact line(one.hypothesis, kUtf8);
    check(is_utf8(line.bytes()), "UTF-8");
    check(is_ascii(line.bytes()) == line.text().ascii, "ASCII");
    std::vector<std::uint8_t> latin;
    to_latin1(line.bytes(), latin);
    const Exact lines(one.hypothesis + U"\n" + one.reference, kUtf8);
    check(count_newlines(lines.bytes()) == 1, "as many lines as newlines");
    check(count_endings(lines.bytes(), "\n") == one.hypothesis.empty(), "empty lines");
    const Lines cut = cut_lines({lines.bytes()});
    check(cut.items[0] == line.bytes(), "the first line");
    check(cut.size() == (one.reference.empty() ? 1u : 2u), "all lines");
    // A character that the end of the bytes cuts is not UTF-8.
    if (line.bytes().empty() || (line.bytes().back() & 0x80) == 0) continue;
    const std::vector<char> cut_off(line.bytes().begin(), line.bytes().end() - 1);
    check(!is_utf8({cut_off.data(), cut_off.size()}), "the start of a character");
  }
}

}  // namespace

void test_buffers() {
  const std::vector<Pair> all = pairs();
  test_counters(all);
  test_normalizer(all);
  test_lines(all);
}

}  // namespace bleuet
