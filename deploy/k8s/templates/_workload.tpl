{{/* Every workload: its definition in processes.yaml merged with the values of the operator. */}}
{{- define "shortlist.workloads" -}}
{{- $workloads := dict -}}
{{- range $name, $process := .Files.Get "processes.yaml" | fromYaml -}}
{{- $values := mergeOverwrite (deepCopy $.Values.workloads.default) (deepCopy (index $.Values.workloads $name | default dict)) -}}
{{- $_ := set $workloads $name (merge $values $process) -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end -}}

{{/* What selects the pods of a workload; it must never change. */}}
{{- define "shortlist.selector" -}}
app.kubernetes.io/name: shortlist
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "shortlist.labels" -}}
{{ include "shortlist.selector" . }}
app.kubernetes.io/part-of: shortlist
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "shortlist.serviceAccount" -}}
{{ .Values.serviceAccount.name | default .Release.Name }}
{{- end -}}

{{/*
The most database connections of all workloads: each has a pod more during a rolling update. A chart that exceeds what the server
takes would leave some pods without a connection, so it is refused.
*/}}
{{- define "shortlist.checkConnections" -}}
{{- $sum := 0 -}}
{{- range $name, $workload := include "shortlist.workloads" . | fromYaml -}}
{{- if has "DATABASE_URL" $workload.secrets -}}
{{- $pods := max $workload.replicas (ternary $workload.autoscaling.maxReplicas 0 $workload.autoscaling.enabled) -}}
{{- $sum = add $sum (mul (add $pods 1) $workload.databasePool) -}}
{{- end -}}
{{- end -}}
{{- if gt $sum (int .Values.databaseConnections) -}}
{{- fail (printf "the workloads can open %d connections to the database, and databaseConnections is %d: lower databasePool or replicas, or raise the limit of the server and this value" $sum (int .Values.databaseConnections)) -}}
{{- end -}}
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
  valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }}{{ if $.optional }}, optional: true{{ end }} } }
{{- end -}}
{{- end -}}

{{/* The settings of the operator; a trial fills those that are empty. */}}
{{- define "shortlist.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- if .Values.trial.enabled -}}
{{- $name := print .Release.Name "-trial" -}}
{{- $sandbox := printf "http://%s-sandbox:5010" $name -}}
{{- $trial := dict "PUBLIC_URL" "http://localhost:5000" "KAFKA_BROKERS" (printf "%s-kafka.%s.svc:9092" $name .Release.Namespace) "MAIL_FROM" "hello@shortlist.test" "STRIPE_API_BASE" $sandbox "MAIL_API_BASE" $sandbox "SANDBOX_URL" $sandbox "LINK_PROVIDER" .Values.trial.sandboxUrl "STRIPE_WEBHOOK_URL" (printf "http://%s-bff:5000/api/webhooks/stripe" .Release.Name) "ALLOWED_HOSTS" (print .Release.Name "-bff") "ADMIN_TWO_STEP" "optional" "REQUIRE_VERIFIED_EMAIL" "nothing" -}}
{{- range $key, $value := $trial -}}
{{- if not (get $settings $key) -}}{{- $_ := set $settings $key $value -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- define "shortlist.kafkaBrokers" -}}
{{ (include "shortlist.settings" . | fromYaml).KAFKA_BROKERS }}
{{- end -}}
