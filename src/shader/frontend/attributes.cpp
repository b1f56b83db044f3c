// SPDX-License-Identifier: Apache-2.0
// Teaches clang Metal's attributes: each becomes a tag "msl:name=arguments" on its declaration, read by
// entry_collector.cpp.
#include "src/shader/frontend/attributes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/ParsedAttrInfo.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <mutex>
#include <optional>
#include <vector>

namespace basanite::shader::frontend {

namespace {

using clang::ParsedAttr;

constexpr const char* kNames[] = {
    // stages and function properties
    "vertex", "fragment", "kernel", "msl_vertex", "msl_fragment", "msl_kernel", "msl_threadgroup",
    "msl_constant_object", "object", "mesh", "host_name", "max_total_threads_per_threadgroup",
    "max_total_threadgroups_per_mesh_grid", "early_fragment_tests", "visible", "stitchable", "patch", "position_in_patch", "patch_id",
    // resources
    "buffer", "texture", "sampler", "id", "function_constant", "raster_order_group", "stage_in", "attribute",
    "payload",
    // vertex inputs and outputs
    "vertex_id", "instance_id", "base_vertex", "base_instance", "amplification_id", "amplification_count",
    "position", "point_size", "clip_distance", "primitive_culled", "invariant", "render_target_array_index",
    "viewport_array_index", "user",
    // interpolation
    "flat", "center_perspective", "center_no_perspective", "centroid_perspective", "centroid_no_perspective",
    "sample_perspective", "sample_no_perspective",
    // fragment inputs and outputs
    "color", "index", "depth", "stencil", "sample_mask", "front_facing", "point_coord", "primitive_id",
    "barycentric_coord", "sample_id",
    // kernel inputs
    "thread_position_in_grid", "thread_position_in_threadgroup", "thread_index_in_threadgroup",
    "threadgroup_position_in_grid", "threads_per_grid", "threads_per_threadgroup", "threadgroups_per_grid",
    "grid_origin", "grid_size", "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup", "threads_per_simdgroup", "thread_execution_width",
    "dispatch_threads_per_threadgroup", "dispatch_simdgroups_per_threadgroup",
    "dispatch_quadgroups_per_threadgroup", "quadgroup_index_in_threadgroup", "quadgroups_per_threadgroup",
    "thread_index_in_quadgroup", "threads_per_quadgroup"};

constexpr size_t kNameCount = std::size(kNames);

struct Spellings {
  // C++11 and GNU forms: the second is what `template [[...]]` and stage qualifiers are respelled to.
  clang::ParsedAttrInfo::Spelling list[2 * kNameCount];
  constexpr Spellings() : list() {
    for (size_t i = 0; i < kNameCount; ++i) {
      list[2 * i] = {ParsedAttr::AS_CXX11, kNames[i]};
      list[2 * i + 1] = {ParsedAttr::AS_GNU, kNames[i]};
    }
  }
};

const Spellings kSpellings;

class MetalAttribute : public clang::ParsedAttrInfo {
 public:
  MetalAttribute() {
    OptArgs = 2;
    Spellings = kSpellings.list;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* decl,
                                   const ParsedAttr& attribute) const override {
    llvm::StringRef name = attribute.getAttrName()->getName();
    name.consume_front("msl_");
    if (name == "constant_object") return handleConstantObject(sema, decl);
    if (name == "function_constant") return handleFunctionConstant(sema, decl, attribute);
    if (dependsOnTemplate(sema, attribute)) return handleDependent(sema, decl, attribute, name);
    std::string text = kAttributeTagPrefix + name.str();
    for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
      text += i == 0 ? '=' : ',';
      std::optional<std::string> argument = argumentText(sema, attribute, i);
      if (!argument) return AttributeNotApplied;
      text += *argument;
    }
    decl->addAttr(clang::BTFDeclTagAttr::Create(sema.Context, text, attribute.getRange()));
    return AttributeApplied;
  }

 private:
  static void complain(clang::Sema& sema, clang::SourceLocation place, llvm::StringRef message) {
    sema.Diag(place, sema.Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << message;
  }

  // `constant` that came through a macro. Where it qualifies the variable itself, not what a pointer or
  // reference leads to, the variable becomes a plain const one, as respell.cpp does with the word in plain
  // sight.
  static AttrHandling handleConstantObject(clang::Sema& sema, clang::Decl* decl) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || llvm::isa<clang::ParmVarDecl>(variable)) return AttributeApplied;
    clang::QualType type = variable->getType();
    clang::Qualifiers qualifiers;
    if (type->isArrayType()) {
      clang::QualType element = sema.Context.getBaseElementType(type);
      if (element.getAddressSpace() != clang::LangAS::opencl_generic) return AttributeApplied;
      type = sema.Context.getUnqualifiedArrayType(type, qualifiers);
    } else {
      if (type.getAddressSpace() != clang::LangAS::opencl_generic) return AttributeApplied;
      clang::SplitQualType split = type.split();
      type = clang::QualType(split.Ty, 0);
      qualifiers = split.Quals;
    }
    qualifiers.removeAddressSpace();
    qualifiers.addConst();
    clang::QualType written = sema.Context.getQualifiedType(type, qualifiers);
    variable->setTypeSourceInfo(sema.Context.getTrivialTypeSourceInfo(written, variable->getLocation()));
    variable->setType(written);
    sema.deduceOpenCLAddressSpace(variable);
    return AttributeApplied;
  }

  // On a program-scope variable: its number; the value comes when a pipeline is made, so for C++ the variable
  // is defined elsewhere. On an argument or a member: the variable that says whether it is there.
  static AttrHandling handleFunctionConstant(clang::Sema& sema, clang::Decl* decl,
                                             const ParsedAttr& attribute) {
    std::string text = kAttributeTagPrefix + std::string("function_constant=");
    if (attribute.getNumArgs() != 1) {
      complain(sema, attribute.getLoc(), "attribute 'function_constant' takes one argument");
      return AttributeNotApplied;
    }
    auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable && !llvm::isa<clang::ParmVarDecl>(variable)) {
      if (!variable->getDeclContext()->isFileContext() || !variable->getType().isConstQualified()) {
        complain(sema, attribute.getLoc(),
                 "a function constant is a variable at program scope in the constant address space");
        return AttributeNotApplied;
      }
      std::optional<std::string> number = argumentText(sema, attribute, 0);
      if (!number) return AttributeNotApplied;
      variable->setStorageClass(clang::SC_Extern);
      variable->setConstexpr(false); // as macros for constants write
      text += *number;
    } else {
      const clang::VarDecl* condition = conditionOf(sema, attribute);
      if (!condition) {
        complain(sema, attribute.getLoc(),
                 "the argument of attribute 'function_constant' here must be the name of a constant of type "
                 "'bool' "
                 "at program scope");
        return AttributeNotApplied;
      }
      text += mangledName(*condition);
    }
    decl->addAttr(clang::BTFDeclTagAttr::Create(sema.Context, text, attribute.getRange()));
    return AttributeApplied;
  }

  static const clang::VarDecl* conditionOf(clang::Sema& sema, const ParsedAttr& attribute) {
    const clang::ValueDecl* named = nullptr;
    if (attribute.isArgIdent(0)) {
      const clang::IdentifierLoc& word = *attribute.getArgAsIdent(0);
      clang::LookupResult found(sema, word.Ident, word.Loc, clang::Sema::LookupOrdinaryName);
      sema.LookupName(found, sema.getCurScope());
      found.suppressDiagnostics();
      named = found.isSingleResult() ? llvm::dyn_cast<clang::ValueDecl>(found.getFoundDecl()) : nullptr;
    } else if (auto* reference =
                   llvm::dyn_cast<clang::DeclRefExpr>(attribute.getArgAsExpr(0)->IgnoreParenImpCasts())) {
      named = reference->getDecl();
    }
    auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named);
    if (!variable || !variable->getDeclContext()->isFileContext() || !variable->getType()->isBooleanType())
      return nullptr;
    return variable;
  }

  static bool dependsOnTemplate(clang::Sema& sema, const ParsedAttr& attribute) {
    for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
      const clang::Expr* argument = attribute.isArgIdent(i)
                                        ? templateParameter(sema, *attribute.getArgAsIdent(i))
                                        : attribute.getArgAsExpr(i);
      if (argument && argument->isValueDependent()) return true;
    }
    return false;
  }

  // The template parameter that a word names, as an expression; nullptr when it is something else.
  static clang::Expr* templateParameter(clang::Sema& sema, const clang::IdentifierLoc& word) {
    clang::LookupResult found(sema, word.Ident, word.Loc, clang::Sema::LookupOrdinaryName);
    sema.LookupName(found, sema.getCurScope());
    found.suppressDiagnostics();
    auto* parameter = found.isSingleResult()
                          ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(found.getFoundDecl())
                          : nullptr;
    if (!parameter) return nullptr;
    return sema.BuildDeclRefExpr(parameter, parameter->getType().getNonReferenceType(), clang::VK_PRValue,
                                 word.Loc);
  }

  // Its arguments have values in the template's instances only, into which clang carries annotations; tagsOf
  // reads them there.
  static AttrHandling handleDependent(clang::Sema& sema, clang::Decl* decl, const ParsedAttr& attribute,
                                      llvm::StringRef name) {
    // On a member it would change how the member is accessed.
    if (!llvm::isa<clang::FunctionDecl, clang::ParmVarDecl>(decl)) {
      complain(sema, attribute.getLoc(),
               "an attribute's argument must not depend on a template's parameters here");
      return AttributeNotApplied;
    }
    std::vector<clang::Expr*> arguments;
    for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
      clang::Expr* argument = attribute.isArgIdent(i) ? templateParameter(sema, *attribute.getArgAsIdent(i))
                                                      : attribute.getArgAsExpr(i);
      if (!argument) {
        complain(sema, attribute.getLoc(), "the argument of an attribute must be an integer constant");
        return AttributeNotApplied;
      }
      arguments.push_back(argument);
    }
    decl->addAttr(
        clang::AnnotateAttr::CreateImplicit(sema.Context, kAttributeTagPrefix + name.str(), arguments.data(),
                                            static_cast<unsigned>(arguments.size()), attribute.getRange()));
    return AttributeApplied;
  }

  static bool takesWords(llvm::StringRef name) {
    return name == "user" || name == "depth" || name == "host_name" || name == "patch";
  }

  // A lone identifier reaches plug-in attributes unresolved: an enumerator or constant, as in
  // [[buffer(kUniforms)]].
  static std::optional<std::string> constantText(clang::Sema& sema, const clang::IdentifierLoc& word) {
    clang::LookupResult found(sema, word.Ident, word.Loc, clang::Sema::LookupOrdinaryName);
    sema.LookupName(found, sema.getCurScope());
    clang::NamedDecl* decl = found.isSingleResult() ? found.getFoundDecl() : nullptr;
    if (auto* enumerator = llvm::dyn_cast_or_null<clang::EnumConstantDecl>(decl))
      return llvm::toString(enumerator->getInitVal(), 10);
    if (auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
        variable && variable->getInit() && !variable->getInit()->isValueDependent()) {
      const clang::APValue* value = variable->evaluateValue();
      if (value && value->isInt()) return llvm::toString(value->getInt(), 10);
    }
    found.suppressDiagnostics();
    clang::DiagnosticsEngine& diagnostics = sema.Diags;
    unsigned id =
        decl ? diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "'%0' is not an integer constant")
             : diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                           "use of undeclared identifier '%0'");
    sema.Diag(word.Loc, id) << word.Ident->getName();
    return std::nullopt;
  }

  static std::optional<std::string> argumentText(clang::Sema& sema, const ParsedAttr& attribute, unsigned i) {
    if (attribute.isArgIdent(i)) {
      const clang::IdentifierLoc& word = *attribute.getArgAsIdent(i);
      return takesWords(attribute.getAttrName()->getName()) ? word.Ident->getName().str()
                                                            : constantText(sema, word);
    }
    clang::Expr* expression = attribute.getArgAsExpr(i)->IgnoreParenImpCasts();
    if (auto* literal = llvm::dyn_cast<clang::StringLiteral>(expression);
        literal && takesWords(attribute.getAttrName()->getName()))
      return literal->getString().str();
    if (!expression->isValueDependent()) {
      if (auto value = expression->getIntegerConstantExpr(sema.Context)) return llvm::toString(*value, 10);
    }
    unsigned id = sema.Diags.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                             "the argument of attribute '%0' must be an integer constant");
    sema.Diag(expression->getExprLoc(), id) << attribute.getAttrName()->getName();
    return std::nullopt;
  }
};

} // namespace

std::string mangledName(const clang::VarDecl& variable) {
  std::unique_ptr<clang::MangleContext> mangler(variable.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&variable)) return variable.getNameAsString();
  std::string name;
  llvm::raw_string_ostream stream(name);
  mangler->mangleName(clang::GlobalDecl(&variable), stream);
  return name;
}

void settleAnnotations(clang::Decl& decl) {
  clang::ASTContext& context = decl.getASTContext();
  std::vector<std::string> tags;
  for (const auto* annotation : decl.specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef name = annotation->getAnnotation();
    if (!name.starts_with(kAttributeTagPrefix)) continue;
    std::string text = name.str();
    for (const clang::Expr* argument : annotation->args()) {
      text += text.size() == name.size() ? '=' : ',';
      if (auto value = argument->getIntegerConstantExpr(context)) text += llvm::toString(*value, 10);
    }
    tags.push_back(std::move(text));
  }
  if (tags.empty()) return;
  decl.dropAttr<clang::AnnotateAttr>();
  for (const std::string& tag : tags) decl.addAttr(clang::BTFDeclTagAttr::CreateImplicit(context, tag));
}

void registerMetalAttributes() {
  static std::once_flag once;
  std::call_once(once, [] {
    static clang::ParsedAttrInfoRegistry::Add<MetalAttribute> registration("msl", "Metal's attributes");
    // clang fills this list on first use without a lock; do it while only one thread is here.
    clang::getAttributePluginInstances();
  });
}

} // namespace basanite::shader::frontend
