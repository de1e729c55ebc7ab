{{/* What the templates need to know of every workload: processes.yaml, with the operator's choices. */}}
{{- define "shortlist.workloads" -}}
{{- $workloads := dict -}}
{{- range $name, $process := .Files.Get "processes.yaml" | fromYaml -}}
{{- $chosen := mergeOverwrite (deepCopy $.Values.workloads.default) (deepCopy (index $.Values.workloads $name | default dict)) -}}
{{- $_ := set $workloads $name (merge $chosen $process) -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end -}}

{{- define "shortlist.labels" -}}
app.kubernetes.io/name: shortlist
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "shortlist.image" -}}
{{ .root.Values.image.prefix }}{{ .image }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* As much as a process needs of the machine and no more: no root, no rights, nothing to write but /tmp. */}}
{{- define "shortlist.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "shortlist.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Variables from a Secret by their names, so that a key that is missing is named when the pod starts. */}}
{{- define "shortlist.secretVariables" -}}
{{- range .keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }} } }
{{- end -}}
{{- end -}}
