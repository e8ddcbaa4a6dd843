package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Types of fields.
var typeNames = strings.NewReplacer("$C", "Ljava/lang/Class;", "$O", "Ljava/lang/Object;", "$S", "Ljava/lang/String;",
	"$H", "Ljava/lang/invoke/MethodHandle;", "$T", "Ljava/lang/invoke/MethodType;", "$L", "Ljava/lang/ClassLoader;", "$R", "Ljava/lang/ref/Reference;")

// layouts contains the fields of classes with a layout fixed in ART 16: runtime/mirror. Their order
// is the linker's.
var layouts = map[string]string{
	"java/lang/Class": `classLoader:$L componentType:$C dexCache:$O extData:Ldalvik/system/ClassExt; ifTable:[$O name:$S superClass:$C vtable:$O
		fields:J methods:J accessFlags:I classFlags:I classSize:I clinitThreadId:I dexClassDefIndex:I dexTypeIndex:I numReferenceInstanceFields:I
		numReferenceStaticFields:I objectSize:I objectSizeAllocFastPath:I primitiveType:I referenceInstanceOffsets:I status:I
		copiedMethodsOffset:S virtualMethodsOffset:S`,
	"dalvik/system/ClassExt": `classValueMap:$O erroneousStateError:Ljava/lang/Throwable; instanceJfieldIDs:$O jmethodIDs:$O obsoleteClass:$C
		obsoleteDexCaches:[$O obsoleteMethods:$O originalDexFile:$O staticJfieldIDs:$O preRedefineClassDefIndex:I preRedefineDexFilePtr:J`,
	"java/lang/String": `count:I hash:I`,
	"java/lang/DexCache": `classLoader:$L location:$S dexFile:J resolvedCallSites:J resolvedFields:J resolvedFieldsArray:J resolvedMethodTypes:J
		resolvedMethodTypesArray:J resolvedMethods:J resolvedMethodsArray:J resolvedTypes:J resolvedTypesArray:J strings:J stringsArray:J`,
	"java/lang/ref/Reference":      `pendingNext:$R queue:Ljava/lang/ref/ReferenceQueue; queueNext:$R referent:$O`,
	"java/lang/StackTraceElement":  `declaringClass:$S fileName:$S methodName:$S lineNumber:I`,
	"java/lang/reflect/Executable": `hasRealParameterData:Z declaringClass:$C declaringClassOfOverriddenMethod:$C parameters:[Ljava/lang/reflect/Parameter; artMethod:J accessFlags:I dexMethodIndex:I`,
	"java/lang/reflect/Field":      `declaringClass:$C type:$C accessFlags:I artFieldIndex:I offset:I`,
	"java/lang/ClassLoader":        `name:$S packages:$O parent:$L proxyCache:$O allocator:J classTable:J`,

	"java/lang/invoke/CallSite":             `target:$H`,
	"java/lang/invoke/MethodHandle":         `asTypeCache:$H cachedSpreadInvoker:$H type:$T handleKind:I artFieldOrMethod:J`,
	"java/lang/invoke/MethodHandleImpl":     `field:Ljava/lang/reflect/Field; targetClassOrMethodHandleInfo:$O target:J`,
	"java/lang/invoke/MethodHandles$Lookup": `lookupClass:$C allowedModes:I`,
	"java/lang/invoke/MethodType":           `form:$O methodDescriptor:$S ptypes:[$C rtype:$C wrapAlt:$O`,
	"java/lang/invoke/VarHandle":            `coordinateType0:$C coordinateType1:$C varType:$C accessModesBitMask:I`,
	"java/lang/invoke/FieldVarHandle":       `artField:J`,
	"java/lang/invoke/StaticFieldVarHandle": `declaringClass:$C`,
	"dalvik/system/EmulatedStackFrame":      `references:[$O stackFrame:[B type:$T`,
	"java/lang/StackFrameInfo":              `declaringClass:$S fileName:$S methodName:$S methodType:$T ste:Ljava/lang/StackTraceElement; bci:I lineNumber:I retainClassRef:Z`,
}

// fit adapts the library of ART 11 to ART 16. The runtime's sources are in the folder runtime.
func (l library) fit(runtime string) error {
	l.need("java/lang/invoke/StaticFieldVarHandle", "java/lang/invoke/FieldVarHandle", "final")
	handle := l["java/lang/invoke/FieldVarHandle"]
	handle.head[0] = strings.Replace(handle.head[0], "final ", "", 1)
	for name, fields := range layouts {
		l.layOut(name, false, typeNames.Replace(fields))
	}
	l.layOut("java/lang/String", true, typeNames.Replace(`LATIN1:B UTF16:B COMPACT_STRINGS:Z serialVersionUID:J CASE_INSENSITIVE_ORDER:$O EMPTY:$S serialPersistentFields:[$O`))
	l.layOut("java/lang/ref/Reference", true, `disableIntrinsic:Z slowPathEnabled:Z`)
	for _, box := range []string{"Byte$ByteCache", "Character$CharacterCache", "Short$ShortCache", "Long$LongCache", "Integer$IntegerCache"} {
		of, _, _ := strings.Cut(box, "$")
		l.field("java/lang/"+box, "cache", "[Ljava/lang/"+of+";", "static")
	}
	l.need("java/lang/BaseVirtualThread", "java/lang/Thread", "public")
	l["java/lang/Enum"].methods = append(l["java/lang/Enum"].methods, &member{"finalize", "()V",
		[]string{".method protected final finalize()V", ".registers 1", "return-void", ".end method"}})
	if err := l.addNatives(runtime); err != nil {
		return err
	}
	if err := l.addMembers(runtime); err != nil {
		return err
	}
	l.fill("java/lang/String", 70)
	l.fill("java/lang/Class", 83)
	l.fill("java/lang/ref/Reference", 4)
	return nil
}

var (
	comment      = regexp.MustCompile(`//[^\n]*`)
	registered   = regexp.MustCompile(`REGISTER_NATIVE_METHODS\("([^"]+)"\)`)
	nativeMacro  = regexp.MustCompile(`\b((?:OVERLOADED_)?(?:FAST_|CRITICAL_)?NATIVE_METHOD)\(\s*(\w+),\s*(\w+),\s*(?:(\w+),\s*)?((?:"[^"]*"\s*)+)(?:,\s*(\w+))?\)`)
	quoted       = regexp.MustCompile(`"([^"]*)"`)
	intrinsic    = regexp.MustCompile(`V\(\w+, (k\w+), k\w+, k\w+, k\w+, "L([^;]+);", "([^"]+)", "([^"]+)"\)`)
	stringInit   = regexp.MustCompile(`V\(\w+, "([^"]+)", \w+, "([^"]+)", "([^"]+)", \w+\)`)
	classRoot    = regexp.MustCompile(`"\[?L([^;]+);",\s+mirror::(\w+)`)
	handleOf     = regexp.MustCompile(`(\w+)\s*=\s*hs\.NewHandle\(\s*FindSystemClass\(\s*class_linker, self, "L([^;]+);"`)
	rootOf       = regexp.MustCompile(`ObjPtr<mirror::Class> (\w+)\s*=\s*GetClassRoot<mirror::(\w+)>`)
	declarerOf   = regexp.MustCompile(`ObjPtr<mirror::Class> (\w+)\s*=\s*(\w+)_\w+->GetDeclaringClass\(\)`)
	found        = regexp.MustCompile(`FindSystemClass\(\s*class_linker, self, "L([^;]+);"`)
	cached       = regexp.MustCompile(`CacheClass\(env, "\[?L?([^";]+);?"`)
	cachedMember = regexp.MustCompile(`Cache(Method|Field)\(\s*(\w+)(?:\.Get\(\))?,\s*/\*\s*is_static=\s*\*/\s*(true|false),\s*"([^"]+)",\s*((?:"[^"]*"\s*)+)`)
)

// unquote joins string literals.
func unquote(literals string) (s string) {
	for _, m := range quoted.FindAllStringSubmatch(literals, -1) {
		s += m[1]
	}
	return s
}

// addNatives adds the methods that ART registers: runtime/native. Static methods are recognized by
// their functions.
func (l library) addNatives(runtime string) error {
	files, err := filepath.Glob(filepath.Join(runtime, "native", "*.cc"))
	if err != nil {
		return err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		code := comment.ReplaceAllString(string(text), "")
		of := registered.FindStringSubmatch(code)
		if of == nil {
			continue
		}
		for _, m := range nativeMacro.FindAllStringSubmatch(code, -1) {
			kind, function := native, m[2]+"_"+m[3]
			switch {
			case strings.Contains(m[1], "FAST"):
				kind = fast
			case strings.Contains(m[1], "CRITICAL"):
				kind = critical
			}
			if id := m[4] + m[6]; id != "" { // one of several with the same name
				function = m[2] + "_" + id
			}
			unused := `(?:\[\[maybe_unused\]\]\s*)?`
			takes := regexp.MustCompile(`\b` + function + `\(\s*` + unused + `JNIEnv\s*\*\s*\w*\s*,\s*` + unused + `(jclass|jobject)`).FindStringSubmatch(code)
			l.method(of[1], m[3], unquote(m[5]), takes == nil || takes[1] == "jclass", kind, "public")
		}
	}
	return nil
}

// addMembers adds intrinsics, constructors of strings, and the members that well_known_classes.cc
// looks up.
func (l library) addMembers(runtime string) error {
	text := map[string]string{}
	for _, name := range []string{"intrinsics_list.h", "well_known_classes.cc", "class_root.h"} {
		b, err := os.ReadFile(filepath.Join(runtime, name))
		if err != nil {
			return err
		}
		text[name] = string(b)
	}
	for _, m := range intrinsic.FindAllStringSubmatch(text["intrinsics_list.h"], -1) {
		kind, access := plain, "public"
		if m[1] == "kPolymorphic" {
			kind = varargs
		}
		if m[1] == "kDirect" && m[3] != "<init>" {
			access = "private"
		}
		l.method(m[2], m[3], m[4], m[1] == "kStatic", kind, access)
	}
	known := text["well_known_classes.cc"]
	for _, m := range stringInit.FindAllStringSubmatch(known, -1) {
		l.method("java/lang/String", "<init>", m[1], false, plain, "public")
		l.method("java/lang/StringFactory", m[2], m[3], true, plain, "public")
	}
	classes, roots := map[string]string{}, map[string]string{}
	for _, m := range classRoot.FindAllStringSubmatch(text["class_root.h"], -1) {
		roots[m[2]] = m[1]
		l.needed(m[1])
	}
	for _, m := range handleOf.FindAllStringSubmatch(known, -1) {
		classes[m[1]] = m[2]
	}
	for _, m := range rootOf.FindAllStringSubmatch(known, -1) {
		classes[m[1]] = roots[m[2]]
	}
	for _, m := range declarerOf.FindAllStringSubmatch(known, -1) {
		classes[m[1]] = strings.ReplaceAll(m[2], "_", "/")
	}
	for _, pattern := range []*regexp.Regexp{found, cached} {
		for _, m := range pattern.FindAllStringSubmatch(known, -1) {
			l.needed(m[1])
		}
	}
	for _, m := range cachedMember.FindAllStringSubmatch(known, -1) {
		name, static := classes[m[2]], m[3] == "true"
		switch {
		case name == "":
		case m[1] == "Method":
			l.method(name, m[4], unquote(m[5]), static, plain, "public")
		case static:
			l.field(name, m[4], unquote(m[5]), "static")
		default:
			l.field(name, m[4], unquote(m[5]), "")
		}
	}
	return nil
}
