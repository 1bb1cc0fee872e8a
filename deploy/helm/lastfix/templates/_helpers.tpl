{{/* The beginning of all names. */}}
{{- define "lastfix.name" -}}
{{- .Release.Name | trunc 30 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels of an object. Argument: (dict "root" $ "component" "gateway") */}}
{{- define "lastfix.labels" -}}
{{ include "lastfix.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* The labels by which pods are found; they never change. */}}
{{- define "lastfix.selector" -}}
app.kubernetes.io/name: lastfix
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* On what holds data, and on what running jobs need: "helm uninstall" leaves it. */}}
{{- define "lastfix.keep" -}}
helm.sh/resource-policy: keep
{{- end -}}

{{/* An image. Argument: (dict "root" $ "name" "lastfix-job") */}}
{{- define "lastfix.image" -}}
{{- with .root.Values.images.registry }}{{ . }}/{{ end }}{{ .name }}:{{ .root.Values.images.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* The jobs of the job jar that run until they are stopped: main classes, topics, rights. */}}
{{- define "lastfix.jobs" -}}
{{- $jobs := (.Files.Get "files/jobs.yaml" | fromYaml).jobs -}}
{{- range $job, $_ := .Values.jobs }}
{{- if not (hasKey $jobs $job) }}{{ fail (printf "jobs.%s: there is no such job; there are %s" $job (keys $jobs | sortAlpha | join ", ")) }}{{ end }}
{{- end -}}
{{- toYaml $jobs -}}
{{- end -}}

{{/* "true" if something that is enabled reads the located records. */}}
{{- define "lastfix.located" -}}
{{- $isRead := .Values.console.enabled -}}
{{- range $job, $known := include "lastfix.jobs" . | fromYaml -}}
{{- if (get $.Values.jobs $job | default dict).enabled -}}
{{- range $known.topics -}}
{{- if and (eq .key "located.topic") (has "Read" .operations) }}{{ $isRead = true }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $isRead }}true{{ end -}}
{{- end -}}

{{/* What a Flink distribution's config.yaml passes to every JVM 17. Release 1.10 of the operator hides that file. */}}
{{- define "lastfix.javaOptions" -}}
- --add-exports=java.base/sun.net.util=ALL-UNNAMED
- --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED
- --add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED
- --add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED
- --add-exports=jdk.compiler/com.sun.tools.javac.parser=ALL-UNNAMED
- --add-exports=jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED
- --add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED
- --add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED
- --add-opens=java.base/java.lang=ALL-UNNAMED
- --add-opens=java.base/java.net=ALL-UNNAMED
- --add-opens=java.base/java.io=ALL-UNNAMED
- --add-opens=java.base/java.nio=ALL-UNNAMED
- --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
- --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
- --add-opens=java.base/java.text=ALL-UNNAMED
- --add-opens=java.base/java.time=ALL-UNNAMED
- --add-opens=java.base/java.util=ALL-UNNAMED
- --add-opens=java.base/java.util.concurrent=ALL-UNNAMED
- --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED
- --add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED
{{- end -}}

{{- define "lastfix.bootstrapServers" -}}
{{- .Values.kafka.bootstrapServers | default (printf "%s-kafka-bootstrap%s:9093" .Values.kafka.cluster (.Values.kafka.namespace | empty | ternary "" (printf ".%s.svc" .Values.kafka.namespace))) -}}
{{- end -}}

{{/* The keys of Kafka's clients, the same for jobs, gateway and notify. */}}
{{- define "lastfix.kafkaConfig" -}}
kafka.bootstrap-servers: {{ include "lastfix.bootstrapServers" . }}
kafka.create-topics: {{ not .Values.kafka.topics.enabled }}
kafka.new-topic.partitions: {{ .Values.kafka.topics.partitions }}
kafka.new-topic.replication: {{ .Values.kafka.topics.replicas }}
{{- if .Values.kafka.security.enabled }}
kafka.properties.security.protocol: SASL_SSL
kafka.properties.sasl.mechanism: SCRAM-SHA-512
kafka.properties.sasl.jaas.config: ${file:/etc/lastfix/kafka/sasl.jaas.config}
kafka.properties.ssl.truststore.type: PEM
kafka.properties.ssl.truststore.certificates: ${file:/etc/lastfix/kafka-ca/ca.crt}
{{- end }}
{{- end -}}

{{/* The configuration that all jobs and the console share, as the text of a file. */}}
{{- define "lastfix.locationConfig" -}}
{{- $config := include "lastfix.kafkaConfig" . | fromYaml -}}
{{- $_ := set $config "mongo.uri" "${file:/etc/lastfix/mongodb/uri}" -}}
{{- if .Values.mongodb.caSecret.name }}{{ $_ := set $config "mongo.tls.ca-file" "/etc/lastfix/mongodb-ca/ca.crt" }}{{ end -}}
{{- if include "lastfix.located" . }}{{ $_ := set $config "located.topic" "lastfix.located" }}{{ end -}}
{{- if hasKey .Values.location.config "job.parallelism" }}{{ fail "location.config: job.parallelism: set jobs.<job>.parallelism instead" }}{{ end -}}
{{- if or .Values.kafka.topics.enabled .Values.kafka.users.enabled }}
{{- range $known := include "lastfix.jobs" . | fromYaml }}
{{- range $known.topics }}
{{- if hasKey $.Values.location.config .key }}{{ fail (printf "location.config: %s: the chart's KafkaTopics and KafkaUsers have the default names; set kafka.topics.enabled and kafka.users.enabled to false, and make your own" .key) }}{{ end }}
{{- end }}
{{- end }}
{{- end -}}
{{- merge (dict) .Values.location.config $config | toYaml -}}
{{- end -}}

{{/* The gateway's configuration, as the text of a file. */}}
{{- define "lastfix.gatewayConfig" -}}
{{- $config := include "lastfix.kafkaConfig" . | fromYaml -}}
{{- $_ := set $config "http.address" "0.0.0.0" -}}
{{- $_ := set $config "http.port" 8480 -}}
{{- if eq (index .Values.gateway.config "devices.enabled" | toString) "true" -}}
{{- $_ := set $config "quota.gateways" (int .Values.gateway.replicas.max) -}}
{{- else if and (not (hasKey .Values.gateway.config "quota.gateways")) (ne (index .Values.gateway.config "quota.enabled" | toString) "false") -}}
{{- fail "gateway.config: devices.enabled is not true, so no job counts a device's bytes over all gateways; set quota.enabled to false, or quota.gateways to 1 if each gateway may grant the whole quota" -}}
{{- end -}}
{{- if and (ne (index .Values.gateway.config "devices.enabled" | toString) "true") (gt (int (index .Values.gateway.config "quota.gateways" | default 1)) 1) -}}
{{- fail "gateway.config: quota.gateways is more than 1, and devices.enabled is not true: no job counts a device's bytes over all gateways, and no gateway would start; set quota.gateways to 1, or devices.enabled to true" -}}
{{- end -}}
{{- $_ := set $config "devices.group-keys" "/etc/lastfix/group-keys" -}}
{{- if .Values.gateway.tlsSecret -}}
{{- $_ := set $config "http.tls.certificate" "/etc/lastfix/tls/tls.crt" -}}
{{- $_ := set $config "http.tls.key" "/etc/lastfix/tls/tls.key" -}}
{{- end -}}
{{- if or .Values.kafka.topics.enabled .Values.kafka.users.enabled }}
{{- range $key := list "kafka.location-topic-prefix" "heartbeats.topic" "devices.topic" }}
{{- if hasKey $.Values.gateway.config $key }}{{ fail (printf "gateway.config: %s: the chart's KafkaTopics and KafkaUsers have the default names; set kafka.topics.enabled and kafka.users.enabled to false, and make your own" $key) }}{{ end }}
{{- end }}
{{- end -}}
{{- range $key, $_ := .Values.gateway.config }}
{{- if hasPrefix "mqtt." $key }}{{ fail (printf "gateway.config: %s: over MQTT each gateway needs a client id that a restart does not change, and the pods of a Deployment have none; run such gateways in a StatefulSet of your own" $key) }}{{ end }}
{{- end -}}
{{- merge (dict) .Values.gateway.config $config | toYaml -}}
{{- end -}}

{{/* Notify's configuration, as the text of a file. */}}
{{- define "lastfix.notifyConfig" -}}
{{- $config := include "lastfix.kafkaConfig" . | fromYaml -}}
{{- $_ := set $config "http.address" "0.0.0.0" -}}
{{- $_ := set $config "http.port" 8485 -}}
{{- if or .Values.kafka.topics.enabled .Values.kafka.users.enabled }}
{{- range $key := list "kafka.alerts-topic" "kafka.undelivered-topic" "kafka.group" }}
{{- if hasKey $.Values.notify.config $key }}{{ fail (printf "notify.config: %s: the chart's KafkaTopics and KafkaUsers have the default names; set kafka.topics.enabled and kafka.users.enabled to false, and make your own" $key) }}{{ end }}
{{- end }}
{{- end -}}
{{- merge (dict) .Values.notify.config $config | toYaml -}}
{{- end -}}

{{/* The rules and alerts of files/lastfix-rules.yml, without disabledAlerts, with whole addresses of runbooks. */}}
{{- define "lastfix.rules" -}}
{{- $operator := .Values.metrics.prometheusOperator -}}
{{- $disabled := default list $operator.disabledAlerts -}}
{{- $base := default "" $operator.runbookBaseUrl | trimSuffix "/" -}}
{{- $known := list -}}
{{- $groups := list -}}
{{- range $group := (.Files.Get "files/lastfix-rules.yml" | fromYaml).groups -}}
{{- $rules := list -}}
{{- range $rule := $group.rules -}}
{{- if $rule.alert -}}
{{- $known = append $known $rule.alert -}}
{{- if $base }}{{ $_ := set $rule.annotations "runbook_url" (printf "%s/%s" $base $rule.annotations.runbook_url) }}{{ end -}}
{{- end -}}
{{- if not (has (default "" $rule.alert) $disabled) }}{{ $rules = append $rules $rule }}{{ end -}}
{{- end -}}
{{- $_ := set $group "rules" $rules -}}
{{- $groups = append $groups $group -}}
{{- end -}}
{{- range $alert := $disabled -}}
{{- if not (has $alert $known) }}{{ fail (printf "metrics.prometheusOperator.disabledAlerts: there is no alert %s; there are %s" $alert (join ", " $known)) }}{{ end -}}
{{- end -}}
{{- dict "groups" $groups | toYaml -}}
{{- end -}}

{{/* Rules that list what ought to run: the enabled jobs that are not suspended, the gateways, and notify. */}}
{{- define "lastfix.expected" -}}
{{- $expected := list -}}
{{- $base := index .Values.location.config "job.name" | default "lastfix-location" | toString -}}
{{- range $job, $spec := .Values.jobs -}}
{{- if and $spec.enabled (ne (toString $spec.state) "suspended") -}}
{{- /* As Flink's reporter writes it. */ -}}
{{- $name := regexReplaceAll "[^a-zA-Z0-9:_]" (eq $job "location" | ternary $base (printf "%s-%s" $base $job)) "_" -}}
{{- $expected = append $expected (dict "record" "lastfix_job_expected" "expr" "vector(1)" "labels" (dict "namespace" $.Release.Namespace "job_name" $name)) -}}
{{- end -}}
{{- end -}}
{{- range $server := list "gateway" "notify" -}}
{{- if (index $.Values $server).enabled -}}
{{- $expected = append $expected (dict "record" (printf "lastfix_%s_expected" $server) "expr" "vector(1)" "labels" (dict "namespace" $.Release.Namespace "job" (printf "%s/%s-%s" $.Release.Namespace (include "lastfix.name" $) $server))) -}}
{{- end -}}
{{- end -}}
{{- toYaml $expected -}}
{{- end -}}

{{/* Where the jobs keep their state. */}}
{{- define "lastfix.stateUrl" -}}
{{- .Values.state.url | default "file:///var/lib/lastfix" | trimSuffix "/" -}}
{{- end -}}

{{- define "lastfix.stateClaim" -}}
{{- .Values.state.volume.existingClaim | default (printf "%s-state" (include "lastfix.name" .)) -}}
{{- end -}}

{{- define "lastfix.flinkServiceAccount" -}}
{{- .Values.flink.serviceAccount | default (printf "%s-flink" (include "lastfix.name" .)) -}}
{{- end -}}

{{/* Pods run as user 9999 without rights. */}}
{{- define "lastfix.podSecurity" -}}
runAsNonRoot: true
runAsUser: 9999
runAsGroup: 9999
fsGroup: 9999
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "lastfix.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Secrets that a component reads. Argument: (dict "root" $ "component" "location" "mongo" uriSecret, or nil "extra" list) */}}
{{- define "lastfix.secretVolumes" -}}
{{- if .root.Values.kafka.security.enabled }}
- name: kafka
  secret:
    secretName: {{ include "lastfix.name" .root }}-{{ .component }}
    defaultMode: 0440
    items:
      - {key: sasl.jaas.config, path: sasl.jaas.config}
- name: kafka-ca
  secret:
    secretName: {{ .root.Values.kafka.security.caSecret | default (printf "%s-cluster-ca-cert" .root.Values.kafka.cluster) }}
    defaultMode: 0440
    items:
      - {key: {{ .root.Values.kafka.security.caKey }}, path: ca.crt}
{{- end }}
{{- if .mongo }}
- name: mongodb
  secret:
    secretName: {{ .mongo.name }}
    defaultMode: 0440
    items:
      - {key: {{ .mongo.key }}, path: uri}
{{- with .root.Values.mongodb.caSecret }}
{{- if .name }}
- name: mongodb-ca
  secret:
    secretName: {{ .name }}
    defaultMode: 0440
    items:
      - {key: {{ .key }}, path: ca.crt}
{{- end }}
{{- end }}
{{- end }}
{{- range .extra }}
- name: extra-{{ .name }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{/* Their mounts; the same argument. */}}
{{- define "lastfix.secretMounts" -}}
{{- if .root.Values.kafka.security.enabled }}
- {name: kafka, mountPath: /etc/lastfix/kafka, readOnly: true}
- {name: kafka-ca, mountPath: /etc/lastfix/kafka-ca, readOnly: true}
{{- end }}
{{- if .mongo }}
- {name: mongodb, mountPath: /etc/lastfix/mongodb, readOnly: true}
{{- if .root.Values.mongodb.caSecret.name }}
- {name: mongodb-ca, mountPath: /etc/lastfix/mongodb-ca, readOnly: true}
{{- end }}
{{- end }}
{{- range .extra }}
- {name: extra-{{ .name }}, mountPath: /etc/lastfix/{{ .name }}, readOnly: true}
{{- end }}
{{- end -}}
