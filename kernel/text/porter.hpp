// Porter's stemmer with NLTK's changes, as rouge-score uses it; text/porter.py is the same in
// Python.
#pragma once

#include <cstddef>

namespace bleuet {

// Stems a word of lower-case ASCII letters and digits in place and returns its new length, which is
// never more than the old one.
std::size_t porter_stem(char* word, std::size_t length);

}  // namespace bleuet
