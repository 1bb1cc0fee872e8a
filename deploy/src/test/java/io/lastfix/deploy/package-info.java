/** Reads the chart, its renderings and the kustomize base as Kubernetes and the operators would. */
@NullMarked
package io.lastfix.deploy;

import org.jspecify.annotations.NullMarked;
