// Renders a chart as Helm does, with the same template engine and the same functions: text/template, sprig, include, required and
// toYaml. Helm itself is in no package of Debian or npm. Reads values.yaml and the values on standard input, and prints one document.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYAML(text []byte) map[string]interface{} {
	value := map[string]interface{}{}
	fail(yaml.Unmarshal(text, &value))
	return value
}

// As Helm: maps are merged, everything else is replaced.
func merge(values, given map[string]interface{}) map[string]interface{} {
	for name, value := range given {
		inner, isMap := value.(map[string]interface{})
		if known, wasMap := values[name].(map[string]interface{}); isMap && wasMap {
			values[name] = merge(known, inner)
		} else {
			values[name] = value
		}
	}
	return values
}

func main() {
	folder := os.Args[1]
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(folder, name))
		fail(err)
		return text
	}
	given, err := io.ReadAll(os.Stdin)
	fail(err)
	chart := readYAML(read("Chart.yaml"))
	data := map[string]interface{}{
		"Values":  merge(readYAML(read("values.yaml")), readYAML(given)),
		"Chart":   map[string]interface{}{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
		"Release": map[string]interface{}{"Name": "accounts", "Namespace": "default", "Service": "Helm"},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	fail(err)
	for _, path := range paths {
		_, err := all.New(filepath.Base(path)).Parse(string(read(filepath.Join("templates", filepath.Base(path)))))
		fail(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		fail(all.ExecuteTemplate(&text, name, data))
		// Notes are text for the terminal, not a manifest.
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n%s\n", text.String())
		}
	}
}
