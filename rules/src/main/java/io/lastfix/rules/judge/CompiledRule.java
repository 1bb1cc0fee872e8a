package io.lastfix.rules.judge;

import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.topic.RuleMessage;

/** A rule of a book, read from its YAML. */
record CompiledRule(RuleMessage.OfRule message, Rule rule) {}
