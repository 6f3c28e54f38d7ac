#include "text/porter.hpp"

#include <cstring>
#include <string_view>

namespace bleuet {
namespace {

struct Rule {
  std::string_view suffix, other;
};

constexpr Rule kIrregular[] = {
    {"sky", "sky"},       {"skies", "sky"},       {"dying", "die"},       {"lying", "lie"},
    {"tying", "tie"},     {"news", "news"},       {"inning", "inning"},   {"innings", "inning"},
    {"outing", "outing"}, {"outings", "outing"},  {"canning", "canning"}, {"cannings", "canning"},
    {"howe", "howe"},     {"proceed", "proceed"}, {"exceed", "exceed"},   {"succeed", "succeed"},
};
constexpr Rule kStep2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"fulli", "ful"},
};
constexpr Rule kStep3[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
    {"ical", "ic"},  {"ful", ""},   {"ness", ""},
};
constexpr Rule kStep4[] = {
    {"al", ""},  {"ance", ""},  {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""},
    {"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""},   {"ism", ""},
    {"ate", ""}, {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""},
};

class Stemmer {
 public:
  Stemmer(char* word, std::size_t length) : word_(word), length_(length) {}

  std::size_t stem() {
    for (const Rule& rule : kIrregular) {
      if (view() == rule.suffix) {
        replace(length_, rule.other);
        return length_;
      }
    }
    if (length_ <= 2) return length_;
    step_1a();
    step_1b();
    if (ends("y") && length_ > 2 && shape(length_ - 1).ends_in_consonant) word_[length_ - 1] = 'i';
    step_2();
    apply(kStep3, 0);
    apply(kStep4, 1);
    step_5();
    return length_;
  }

 private:
  // Of the first letters of the word: the paper's m, and what the conditions need.
  struct Shape {
    std::size_t measure;
    bool has_vowel;
    bool ends_in_consonant;
    bool ends_short;  // the condition *o; NLTK has vowel and consonant alone too
  };

  std::string_view view() const { return {word_, length_}; }

  bool ends(std::string_view suffix) const {
    return length_ >= suffix.size() &&
           std::memcmp(word_ + length_ - suffix.size(), suffix.data(), suffix.size()) == 0;
  }

  void replace(std::size_t suffix, std::string_view other) {
    std::memcpy(word_ + length_ - suffix, other.data(), other.size());
    length_ += other.size();
    length_ -= suffix;
  }

  Shape shape(std::size_t n) const {
    Shape found{0, false, false, false};
    unsigned last = 0;  // one bit per letter from the right, 1 for a vowel
    for (std::size_t i = 0; i < n; ++i) {
      const char c = word_[i];
      const bool vowel = c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ||
                         (c == 'y' && i != 0 && (last & 1) == 0);
      found.measure += !vowel && (last & 1) != 0;
      found.has_vowel = found.has_vowel || vowel;
      last = last << 1 | static_cast<unsigned>(vowel);
    }
    found.ends_in_consonant = n != 0 && (last & 1) == 0;
    const char c = n != 0 ? word_[n - 1] : ' ';
    found.ends_short = (n >= 3 && (last & 7) == 2 && c != 'w' && c != 'x' && c != 'y') ||
                       (n == 2 && (last & 3) == 2);
    return found;
  }

  std::size_t measure(std::size_t n) const { return shape(n).measure; }

  // Only the first suffix that the word has is tried.
  template <std::size_t N>
  void apply(const Rule (&rules)[N], std::size_t least) {
    for (const Rule& rule : rules) {
      if (!ends(rule.suffix)) continue;
      const std::size_t n = length_ - rule.suffix.size();
      const bool fits =
          rule.suffix != "ion" || (n != 0 && (word_[n - 1] == 's' || word_[n - 1] == 't'));
      if (fits && measure(n) > least) replace(rule.suffix.size(), rule.other);
      return;
    }
  }

  void step_1a() {
    if (ends("sses")) {
      length_ -= 2;
    } else if (ends("ies")) {
      length_ -= length_ == 4 ? 1 : 2;
    } else if (ends("s") && !ends("ss")) {
      --length_;
    }
  }

  void step_1b() {
    if (ends("ied")) {
      length_ -= length_ == 4 ? 1 : 2;
      return;
    }
    if (ends("eed")) {
      if (measure(length_ - 3) > 0) --length_;
      return;
    }
    const std::size_t ending = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    const Shape stem = shape(length_ - ending);
    if (ending == 0 || !stem.has_vowel) return;
    length_ -= ending;
    const char last = word_[length_ - 1];
    if (ends("at") || ends("bl") || ends("iz")) {
      replace(0, "e");
    } else if (stem.ends_in_consonant && length_ >= 2 && word_[length_ - 2] == last) {
      if (last != 'l' && last != 's' && last != 'z') --length_;
    } else if (stem.measure == 1 && stem.ends_short) {
      replace(0, "e");
    }
  }

  void step_2() {
    while (ends("alli") && measure(length_ - 4) > 0) length_ -= 2;
    if (!ends("logi")) return apply(kStep2, 0);
    if (measure(length_ - 3) > 0) --length_;
  }

  void step_5() {
    if (ends("e")) {
      const Shape stem = shape(length_ - 1);
      if (stem.measure > 1 || (stem.measure == 1 && !stem.ends_short)) --length_;
    }
    if (ends("ll") && measure(length_ - 1) > 1) --length_;
  }

  char* word_;
  std::size_t length_;
};

}  // namespace

std::size_t porter_stem(char* word, std::size_t length) { return Stemmer(word, length).stem(); }

}  // namespace bleuet
