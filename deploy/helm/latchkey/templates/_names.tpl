{{- define "latchkey.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "latchkey.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "latchkey.labels" -}}
{{ include "latchkey.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "latchkey.image" -}}
{{- $repository := required "image.repository is required: an image with your project" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- /* The "restricted" profile of the Pod Security Standards. The user is that of the image; its group reads the secrets. */ -}}
{{- define "latchkey.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "latchkey.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* Variables that the daemon and the migrations share. */ -}}
{{- define "latchkey.env" -}}
- name: LATCHKEY_BASE_URL
  value: {{ required "baseURL is required: the public URL with https" .Values.baseURL | quote }}
- name: LATCHKEY_SECRET_FILE
  value: /run/secrets/latchkey/secret
{{- if .Values.secrets.redis }}
- name: REDIS_URL_FILE
  value: /run/secrets/latchkey/redis-url
{{- end }}
# How hints in messages write a command.
- name: LATCHKEY_COMMAND
  value: kubectl exec deploy/{{ include "latchkey.fullname" . }} -- latchkey
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Latchkey rejects secrets that all users can read, which is the default of Kubernetes. */ -}}
{{- define "latchkey.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secrets.existingSecret }}
    defaultMode: 0440
- name: state
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end -}}
