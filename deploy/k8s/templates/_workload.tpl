{{/* Every workload: its definition in processes.yaml merged with the values of the operator. */}}
{{- define "shortlist.workloads" -}}
{{- $workloads := dict -}}
{{- range $name, $process := .Files.Get "processes.yaml" | fromYaml -}}
{{- $values := mergeOverwrite (deepCopy $.Values.workloads.default) (deepCopy (index $.Values.workloads $name | default dict)) -}}
{{- $_ := set $workloads $name (merge $values $process) -}}
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

{{/* Least privilege: no root, no capabilities, no writable path but /tmp. */}}
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

{{/* Each variable names its key of the Secret, so that Kubernetes reports a missing key by name. */}}
{{- define "shortlist.secretVariables" -}}
{{- range .keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }} } }
{{- end -}}
{{- end -}}
