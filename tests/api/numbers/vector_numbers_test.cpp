// SPDX-License-Identifier: Apache-2.0
// Functions of whole vectors and matrices: geometric ones, any() and all(), products, transposes and
// determinants.
#include "tests/api/numbers/numbers.hpp"

#include <cmath>
#include <random>

namespace basanite::tests {
namespace {

// Three vectors of one width, as doubles.
struct Vectors {
  unsigned width;
  double x[4], y[4], z[4];
};
using In = const Vectors&;

double dot(const double* a, const double* b, unsigned width) {
  double sum = 0;
  for (unsigned i = 0; i < width; ++i) sum += a[i] * b[i];
  return sum;
}
double dotSize(const double* a, const double* b, unsigned width) {
  double sum = 0;
  for (unsigned i = 0; i < width; ++i) sum += std::fabs(a[i] * b[i]);
  return sum;
}
double length(const double* a, unsigned width) { return std::sqrt(dot(a, a, width)); }
Vectors difference(In in) {
  Vectors result = in;
  for (unsigned i = 0; i < in.width; ++i) result.x[i] = in.x[i] - in.y[i];
  return result;
}
double refraction(In in) { // k, and what is left of the light
  const double cosine = dot(in.y, in.x, in.width), eta = in.z[0];
  return 1 - eta * eta * (1 - cosine * cosine);
}

// Metal states no bounds for these; they follow from those of the operations that define them: `epsilons`
// times the size of what is added up, in steps of one half ULP of 1.
struct VectorRow {
  const char* name;
  const char* body; // r (type R, scalars widened by R()) of x, y, z (T); @ the namespace
  double (*reference)(In in, unsigned lane);
  double (*size)(In in, unsigned lane);
  double epsilons;
  unsigned onlyWidth = 0;
  char result = 'T';
  bool (*domain)(In in) = nullptr;
};

const VectorRow kVectorRows[] = {
    {"dot", "r = R(dot(x, y));", [](In in, unsigned) { return dot(in.x, in.y, in.width); },
     [](In in, unsigned) { return dotSize(in.x, in.y, in.width); }, 5},
    {"length_squared", "r = R(length_squared(x));", [](In in, unsigned) { return dot(in.x, in.x, in.width); },
     [](In in, unsigned) { return dot(in.x, in.x, in.width); }, 5},
    {"distance_squared", "r = R(distance_squared(x, y));",
     [](In in, unsigned) { return dot(difference(in).x, difference(in).x, in.width); },
     [](In in, unsigned) { return dot(difference(in).x, difference(in).x, in.width); }, 9},
    {"length", "r = R(@length(x));", [](In in, unsigned) { return length(in.x, in.width); },
     [](In in, unsigned) { return length(in.x, in.width); }, 9},
    {"distance", "r = R(@distance(x, y));",
     [](In in, unsigned) { return length(difference(in).x, in.width); },
     [](In in, unsigned) { return length(difference(in).x, in.width); }, 11},
    {"normalize", "r = @normalize(x);",
     [](In in, unsigned lane) { return in.x[lane] / length(in.x, in.width); },
     [](In in, unsigned lane) { return std::fabs(in.x[lane]) / length(in.x, in.width); }, 11, 0, 'T',
     [](In in) { return length(in.x, in.width) > 0.01; }},
    {"cross", "r = cross(x, y);",
     [](In in, unsigned lane) {
       return in.x[(lane + 1) % 3] * in.y[(lane + 2) % 3] - in.x[(lane + 2) % 3] * in.y[(lane + 1) % 3];
     },
     [](In in, unsigned lane) {
       return std::fabs(in.x[(lane + 1) % 3] * in.y[(lane + 2) % 3]) +
              std::fabs(in.x[(lane + 2) % 3] * in.y[(lane + 1) % 3]);
     },
     3, 3},
    {"reflect", "r = reflect(x, y);",
     [](In in, unsigned lane) { return in.x[lane] - 2 * dot(in.y, in.x, in.width) * in.y[lane]; },
     [](In in, unsigned lane) {
       return std::fabs(in.x[lane]) + 2 * dotSize(in.x, in.y, in.width) * std::fabs(in.y[lane]);
     },
     8},
    {"refract", "T ray = normalize(x), n = normalize(y); r = refract(ray, n, z[0]);",
     [](In in, unsigned lane) {
       Vectors unit = in;
       for (unsigned i = 0; i < in.width; ++i) {
         unit.x[i] = in.x[i] / length(in.x, in.width);
         unit.y[i] = in.y[i] / length(in.y, in.width);
       }
       const double k = refraction(unit), eta = in.z[0];
       return k < 0
                  ? 0.0
                  : eta * unit.x[lane] - (eta * dot(unit.y, unit.x, in.width) + std::sqrt(k)) * unit.y[lane];
     },
     [](In in, unsigned) { return (1 + in.z[0] * in.z[0]) * 10; }, 20, 0, 'T',
     [](In in) {
       if (!(length(in.x, in.width) > 0.01 && length(in.y, in.width) > 0.01)) return false;
       Vectors unit = in;
       for (unsigned i = 0; i < in.width; ++i) {
         unit.x[i] = in.x[i] / length(in.x, in.width);
         unit.y[i] = in.y[i] / length(in.y, in.width);
       }
       return std::fabs(refraction(unit)) > 0.05; // the root's argument, not near where it loses its digits
     }},
    {"faceforward", "r = faceforward(x, y, z);",
     [](In in, unsigned lane) { return dot(in.z, in.y, in.width) < 0 ? in.x[lane] : -in.x[lane]; },
     [](In, unsigned) { return 0.0; }, 0, 0, 'T',
     [](In in) { return std::fabs(dot(in.z, in.y, in.width)) > 0.02 * dotSize(in.z, in.y, in.width); }},
    {"any", "r = R(any(x < y));",
     [](In in, unsigned) {
       bool result = false;
       for (unsigned i = 0; i < in.width; ++i) result = result || in.x[i] < in.y[i];
       return double(result);
     },
     [](In, unsigned) { return 0.0; }, 0, 0, 'B'},
    {"all", "r = R(all(x < y));",
     [](In in, unsigned) {
       bool result = true;
       for (unsigned i = 0; i < in.width; ++i) result = result && in.x[i] < in.y[i];
       return double(result);
     },
     [](In, unsigned) { return 0.0; }, 0, 0, 'B'},
};

class VectorNumbers : public Numbers {
 protected:
  void check(Scalar type, bool fastMath, const std::vector<std::string>& spaces) {
    std::vector<Kernel> kernels;
    std::vector<std::vector<const VectorRow*>> rowsOf;
    for (unsigned width = 2; width <= 4; ++width) {
      Kernel kernel;
      kernel.name = "k" + std::to_string(width);
      kernel.xType = kernel.yType = kernel.zType = type;
      kernel.widths = {width};
      std::vector<const VectorRow*> rows;
      for (const VectorRow& row : kVectorRows)
        for (const std::string& space : spaces) {
          std::string body = row.body;
          const size_t at = body.find('@');
          if ((row.onlyWidth && row.onlyWidth != width) || (at == std::string::npos && space != spaces[0]))
            continue;
          if (at != std::string::npos) body.replace(at, 1, space);
          kernel.parts.push_back({body, row.result == 'B' ? Scalar::boolean : type});
          rows.push_back(&row);
        }
      kernels.push_back(kernel);
      rowsOf.push_back(rows);
    }
    auto library = libraryOf(kernels, fastMath);
    ASSERT_TRUE(library);
    std::mt19937_64 random(4);
    Inputs in;
    const auto any = [&] {
      return patternOf(type,
                       (double(random() >> 11) / 9007199254740992.0 * 2 - 1) * (random() % 3 ? 3.0 : 0.25));
    };
    for (int i = 0; i < 1800; ++i) in.add(any(), any(), any());
    const double epsilon = std::ldexp(1.0, -traitsOf(type).precision);
    for (size_t k = 0; k < kernels.size(); ++k) {
      const unsigned width = kernels[k].widths[0];
      const std::vector<uint64_t> got = run(library.get(), kernels[k], in);
      ASSERT_EQ(got.size(), in.count() * rowsOf[k].size());
      for (size_t part = 0; part < rowsOf[k].size(); ++part) {
        const VectorRow& row = *rowsOf[k][part];
        int wrong = 0;
        for (size_t i = 0; i < in.count() && wrong < 3; ++i) {
          Vectors v{width, {}, {}, {}};
          for (unsigned lane = 0; lane < width; ++lane) {
            const size_t at = i / width * width + lane;
            v.x[lane] = valueOf(type, in.x[at]);
            v.y[lane] = valueOf(type, in.y[at]);
            v.z[lane] = valueOf(type, in.z[at]);
          }
          if (row.domain && !row.domain(v)) continue;
          const unsigned lane = i % width;
          const uint64_t pattern = got[part * in.count() + i];
          const double result = row.result == 'B' ? double(pattern) : valueOf(type, pattern);
          const double wanted = row.reference(v, lane), limit = row.epsilons * epsilon * row.size(v, lane) +
                                                                (row.epsilons > 0 ? ulpOf(type, 0) : 0);
          if (std::fabs(result - wanted) <= limit) continue;
          ++wrong;
          ADD_FAILURE() << traitsOf(type).name << width << " " << kernels[k].parts[part].body << " lane "
                        << lane << " of (" << v.x[0] << ", " << v.x[1] << ", ...), (" << v.y[0] << ", "
                        << v.y[1] << ", ...) is " << result << ", expected " << wanted << " within " << limit;
        }
      }
    }
  }
};

TEST_F(VectorNumbers, GeometricFunctionsOfFloats) {
  check(Scalar::f32, false, {"metal::", "fast::"});
  check(Scalar::f32, true, {"metal::", "precise::"});
}
TEST_F(VectorNumbers, GeometricFunctionsOfHalves) {
  check(Scalar::f16, false, {"metal::"});
  check(Scalar::f16, true, {"metal::"});
}

// Matrices of small whole numbers: every result is exact, in half too.
TEST_F(VectorNumbers, MatricesOfEveryShape) {
  for (const Scalar type : {Scalar::f32, Scalar::f16}) {
    const std::string t = traitsOf(type).name;
    std::string source = "#include <metal_stdlib>\nusing namespace metal;\n";
    source += "kernel void k(const device " + t +
              "* in [[buffer(0)]], device float* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {\n";
    source += "  if (id != 0) return;\n  uint n = 0;\n";
    for (int c = 2; c <= 4; ++c)
      for (int r = 2; r <= 4; ++r) {
        const std::string m = t + std::to_string(c) + "x" + std::to_string(r), column = t + std::to_string(r),
                          row = t + std::to_string(c);
        source += "  { " + m + " a, b;\n    for (uint i = 0; i < " + std::to_string(c) +
                  "; ++i) for (uint j = 0; j < " + std::to_string(r) +
                  "; ++j) { a[i][j] = in[i * 4 + j]; b[i][j] = in[16 + i * 4 + j]; }\n";
        source += "    " + m + " s = a + b, d = a - b, w = a * " + t + "(2), v = -a;\n";
        source += "    for (uint i = 0; i < " + std::to_string(c) + "; ++i) for (uint j = 0; j < " +
                  std::to_string(r) +
                  "; ++j) out[n++] = float(s[i][j]) + 64.0f * float(d[i][j]) + float(w[i][j]) * 4096.0f + "
                  "float(v[i][j]) * 0.0625f;\n";
        source += "    " + column + " mv = a * " + row + "(";
        for (int i = 0; i < c; ++i)
          source += (i ? ", " : "") + std::string("in[32 + ") + std::to_string(i) + "]";
        source += ");\n    for (uint j = 0; j < " + std::to_string(r) + "; ++j) out[n++] = float(mv[j]);\n";
        source += "    " + row + " vm = " + column + "(";
        for (int j = 0; j < r; ++j)
          source += (j ? ", " : "") + std::string("in[32 + ") + std::to_string(j) + "]";
        source +=
            ") * a;\n    for (uint i = 0; i < " + std::to_string(c) + "; ++i) out[n++] = float(vm[i]);\n";
        source += "    auto tr = transpose(b);\n    for (uint j = 0; j < " + std::to_string(r) +
                  "; ++j) for (uint i = 0; i < " + std::to_string(c) + "; ++i) out[n++] = float(tr[j][i]);\n";
        // R columns of R: a * transpose(b).
        source += "    auto p = a * tr;\n    for (uint i = 0; i < " + std::to_string(r) +
                  "; ++i) for (uint j = 0; j < " + std::to_string(r) + "; ++j) out[n++] = float(p[i][j]);\n";
        if (c == r)
          source += "    out[n++] = float(determinant(a)); out[n++] = a == a && a != b && !(a == b) ? 1.0f : "
                    "0.0f;\n    a *= b; out[n++] = float(a[1][0]);\n";
        source += "  }\n";
      }
    source += "}\n";
    auto lib = library(source);
    ASSERT_TRUE(lib);
    std::mt19937 random(3);
    std::vector<double> values;
    for (int i = 0; i < 36; ++i) values.push_back(int(random() % 7) - 3);
    auto pipeline = computePipeline(lib.get(), "k");
    ASSERT_TRUE(pipeline);
    auto in = sharedBuffer(64 * 4), out = sharedBuffer(4096 * 4);
    for (size_t i = 0; i < values.size(); ++i) {
      const uint64_t pattern = patternOf(type, values[i]);
      if (type == Scalar::f32)
        static_cast<uint32_t*>(in->contents())[i] = uint32_t(pattern);
      else
        static_cast<uint16_t*>(in->contents())[i] = uint16_t(pattern);
    }
    auto table = argumentTable(2);
    table->setAddress(in->gpuAddress(), 0);
    table->setAddress(out->gpuAddress(), 1);
    dispatch(pipeline.get(), table.get(), 64);
    const float* got = static_cast<const float*>(out->contents());
    size_t n = 0;
    const auto expect = [&](double wanted, const char* what, int c, int r) {
      ASSERT_EQ(double(got[n++]), wanted) << what << " of " << t << c << "x" << r;
    };
    const auto minorOf = [](auto&& self, const std::vector<std::vector<double>>& m) -> double {
      if (m.size() == 1) return m[0][0];
      double sum = 0;
      for (size_t i = 0; i < m.size(); ++i) {
        std::vector<std::vector<double>> rest;
        for (size_t k = 0; k < m.size(); ++k)
          if (k != i) rest.emplace_back(m[k].begin() + 1, m[k].end());
        sum += (i % 2 ? -1 : 1) * m[i][0] * self(self, rest);
      }
      return sum;
    };
    for (int c = 2; c <= 4; ++c)
      for (int r = 2; r <= 4; ++r) {
        const auto a = [&](int i, int j) { return values[i * 4 + j]; };
        const auto b = [&](int i, int j) { return values[16 + i * 4 + j]; };
        for (int i = 0; i < c; ++i)
          for (int j = 0; j < r; ++j)
            expect((a(i, j) + b(i, j)) + 64 * (a(i, j) - b(i, j)) + 4096 * 2 * a(i, j) - a(i, j) * 0.0625,
                   "sum, difference, multiple, negative", c, r);
        for (int j = 0; j < r; ++j) {
          double sum = 0;
          for (int i = 0; i < c; ++i) sum += a(i, j) * values[32 + i];
          expect(sum, "matrix times vector", c, r);
        }
        for (int i = 0; i < c; ++i) {
          double sum = 0;
          for (int j = 0; j < r; ++j) sum += a(i, j) * values[32 + j];
          expect(sum, "vector times matrix", c, r);
        }
        for (int j = 0; j < r; ++j)
          for (int i = 0; i < c; ++i) expect(b(i, j), "transpose", c, r);
        for (int i = 0; i < r; ++i)
          for (int j = 0; j < r; ++j) {
            double sum = 0;
            for (int k = 0; k < c; ++k) sum += a(k, j) * b(k, i);
            expect(sum, "matrix times matrix", c, r);
          }
        if (c != r) continue;
        std::vector<std::vector<double>> columns(c, std::vector<double>(r));
        for (int i = 0; i < c; ++i)
          for (int j = 0; j < r; ++j) columns[i][j] = a(i, j);
        expect(minorOf(minorOf, columns), "determinant", c, r);
        expect(1, "equality", c, r);
        double sum = 0;
        for (int k = 0; k < c; ++k) sum += a(k, 0) * b(1, k);
        expect(sum, "matrix *= matrix", c, r);
      }
  }
}

} // namespace
} // namespace basanite::tests
