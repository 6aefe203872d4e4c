{{- define "storeward.labels" -}}
app.kubernetes.io/name: storeward
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "storeward.selector" -}}
app.kubernetes.io/name: storeward
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "storeward.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "storeward.container" -}}
image: "{{ required "image.repository: the image that you have built" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ .Release.Name }}-settings }
  - secretRef: { name: {{ required "secretName: the Secret with DATABASE_URL and SECRET" .Values.secretName }} }
volumeMounts:
  - { name: files, mountPath: /data }
  - { name: temporary, mountPath: /tmp }
{{- end -}}

{{- define "storeward.probes" -}}
ports:
  - { name: http, containerPort: 8080 }
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{- define "storeward.volumes" -}}
- name: temporary
  emptyDir: {}
- name: files
{{- if .Values.files.volume.enabled }}
  persistentVolumeClaim: { claimName: {{ .Values.files.volume.existingClaim | default .Release.Name }} }
{{- else }}
  emptyDir: {}
{{- end }}
{{- end -}}
