// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Formulas from their texts: a parser by recursive descent.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "lib/metric/nodes.h"

/* Brackets, functions, ifs and signs within each other: Intel's have 15 at most. */
#define DEPTH_MAX 200
/* How deep the evaluation goes, which a chain of operators makes deep as well. */
#define HEIGHT_MAX 2000

struct parser {
	struct formula *f;
	const char *at;
	unsigned int depth;
	struct formula_error *error;
	int err;
};

__attribute__((format(printf, 2, 3)))
static uint32_t bad(struct parser *p, const char *fmt, ...)
{
	va_list ap;

	if (p->err)
		return 0;
	p->err = -EINVAL;
	p->error->at = (size_t)(p->at - p->f->text);
	va_start(ap, fmt);
	vsnprintf(p->error->why, sizeof(p->error->why), fmt, ap);
	va_end(ap);
	return 0;
}

static uint32_t no_memory(struct parser *p)
{
	bad(p, "out of memory");
	p->err = -ENOMEM;
	return 0;
}

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

/* What stands there, for an error. */
static const char *here(const struct parser *p, char *text, size_t size)
{
	if (!*p->at)
		return "the end";
	snprintf(text, size, "'%.*s'", (int)strcspn(p->at, " \t\r\n"), p->at);
	return text;
}

static uint32_t unexpected(struct parser *p, const char *wanted)
{
	char text[40];

	return bad(p, "%s is missing before %s", wanted, here(p, text, sizeof(text)));
}

static uint32_t highest(const struct formula *f, const struct node *node)
{
	const uint32_t parts[] = { node->a, node->b, node->c };
	uint32_t height = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i] && f->nodes[parts[i] - 1].height > height)
			height = f->nodes[parts[i] - 1].height;
	return height;
}

/* Its number, from 1 on. */
static uint32_t add(struct parser *p, struct node node)
{
	struct formula *f = p->f;
	struct node *grown;

	if (p->err)
		return 0;
	node.height = 1 + highest(f, &node);
	if (node.height > HEIGHT_MAX)
		return bad(p, "more than %d operators on each other's results", HEIGHT_MAX);
	if (!(f->nr_nodes & (f->nr_nodes + 1))) {
		grown = reallocarray(f->nodes, 2 * (f->nr_nodes + 1), sizeof(*grown));
		if (!grown)
			return no_memory(p);
		f->nodes = grown;
	}
	f->nodes[f->nr_nodes++] = node;
	return f->nr_nodes;
}

/* ---- names and numbers --------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Asked of each character, and several times: no function of the C library, for any locale. */
static bool in_name(char c, bool modifier)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '#' ||
	       c == ':' || (modifier && c == '=');
}

bool formula_in_word(char c)
{
	return in_name(c, true);
}

static size_t name_length(const char *text)
{
	bool modifier = false;
	size_t n = 0;

	if (!is_letter(*text) && *text != '_' && *text != '#')
		return 0;
	for (; in_name(text[n], modifier); n++)
		modifier |= text[n] == ':';
	return n;
}

static bool word(struct parser *p, const char *text)
{
	size_t n;

	skip_space(p);
	if (*p->at != *text)
		return false;
	n = name_length(p->at);
	if (n != strlen(text) || strncmp(p->at, text, n) != 0)
		return false;
	p->at += n;
	return true;
}

size_t formula_find_name(const struct formula *f, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < f->nr_names; i++)
		if (*f->names[i] == *name && !strncmp(f->names[i], name, len) &&
		    !f->names[i][len])
			break;
	return i;
}

static uint32_t parse_name(struct parser *p, size_t len)
{
	struct formula *f = p->f;
	size_t i = formula_find_name(f, p->at, len);
	char **grown;

	if (i == f->nr_names) {
		grown = reallocarray(f->names, f->nr_names + 1, sizeof(*grown));
		if (!grown)
			return no_memory(p);
		f->names = grown;
		grown[i] = strndup(p->at, len);
		if (!grown[i])
			return no_memory(p);
		f->nr_names++;
	}
	p->at += len;
	return add(p, (struct node){ .kind = NODE_NAME, .name = i });
}

/* Digits behind the point beyond these change nothing, but would overflow. */
#define FRACTION_UNIT_MAX 1e17

/* Not strtod(), for which a locale may have commas, and which takes 0x1p3 and nan. */
static double decimal(const char **at)
{
	double value = 0, unit = 1;

	for (; isdigit((unsigned char)**at); ++*at)
		value = 10 * value + (**at - '0');
	if (**at != '.')
		return value;
	for (++*at; isdigit((unsigned char)**at); ++*at) {
		if (unit >= FRACTION_UNIT_MAX)
			continue;
		value = 10 * value + (**at - '0');
		unit *= 10;
	}
	return value / unit;
}

static uint32_t parse_decimal(struct parser *p)
{
	const char *at = p->at;
	double value = decimal(&at);
	int exponent = 0;
	bool negative;

	if (*at == 'e' || *at == 'E') {
		negative = at[1] == '-';
		at += 1 + (at[1] == '-' || at[1] == '+');
		if (!isdigit((unsigned char)*at))
			return bad(p, "'%.20s' is no number", p->at);
		for (; isdigit((unsigned char)*at) && exponent < 1000; at++)
			exponent = 10 * exponent + (*at - '0');
		for (; exponent; exponent--)
			value = negative ? value / 10 : value * 10;
	}
	if (in_name(*at, false) || value > 1e300)
		return bad(p, "'%.20s' is no number", p->at);
	p->at = at;
	return add(p, (struct node){ .kind = NODE_NUMBER, .number = value });
}

/* ---- from the tightest to the loosest -------------------------------------- */

static uint32_t parse_if(struct parser *p);

static uint32_t expect(struct parser *p, const char *text, uint32_t node)
{
	char wanted[8];

	skip_space(p);
	if (*p->at != *text) {
		snprintf(wanted, sizeof(wanted), "'%s'", text);
		return unexpected(p, wanted);
	}
	p->at++;
	return node;
}

static const struct {
	const char *name;
	enum node_kind kind;
} functions[] = {
	{ "max", NODE_MAX }, { "min", NODE_MIN }, { "d_ratio", NODE_RATIO_OR_0 },
};

static bool is_function(struct parser *p, enum node_kind *kind)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (word(p, functions[i].name)) {
			*kind = functions[i].kind;
			return true;
		}
	return false;
}

static uint32_t parse_call(struct parser *p, enum node_kind kind, size_t from)
{
	struct node node = { .kind = kind, .from = from };

	expect(p, "(", 0);
	node.a = parse_if(p);
	expect(p, ",", 0);
	node.b = parse_if(p);
	expect(p, ")", 0);
	node.to = (size_t)(p->at - p->f->text);
	return add(p, node);
}

static uint32_t parse_atom(struct parser *p)
{
	enum node_kind kind;
	size_t from, len;
	uint32_t node;

	skip_space(p);
	from = (size_t)(p->at - p->f->text);
	if (*p->at == '(') {
		p->at++;
		node = parse_if(p);
		return expect(p, ")", node);
	}
	if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
		return parse_decimal(p);
	if (is_function(p, &kind))
		return parse_call(p, kind, from);
	len = name_length(p->at);
	if (!len || (len == 2 && !strncmp(p->at, "if", 2)) ||
	    (len == 4 && !strncmp(p->at, "else", 4)))
		return unexpected(p, "a value");
	return parse_name(p, len);
}

static uint32_t parse_unary(struct parser *p)
{
	bool negative = false;
	uint32_t node;

	for (skip_space(p); *p->at == '-'; skip_space(p)) {
		negative = !negative;
		p->at++;
	}
	node = parse_atom(p);
	return negative ? add(p, (struct node){ .kind = NODE_NEGATIVE, .a = node }) : node;
}

/* Two characters before one. */
static const struct operator {
	const char *text;
	unsigned int level;
	enum node_kind kind;
} operators[] = {
	{ "|", 0, NODE_OR }, { "&", 1, NODE_AND },
	{ "<=", 2, NODE_NOT_ABOVE }, { ">=", 2, NODE_NOT_BELOW },
	{ "==", 2, NODE_EQUAL }, { "!=", 2, NODE_UNEQUAL },
	{ "<", 2, NODE_BELOW }, { ">", 2, NODE_ABOVE },
	{ "+", 3, NODE_PLUS }, { "-", 3, NODE_MINUS },
	{ "*", 4, NODE_TIMES }, { "/", 4, NODE_OVER }, { "%", 4, NODE_MODULO },
};

#define LEVEL_COMPARE 2
#define LEVELS 5

/* Some of Intel's formulas have a space within >=; behind > nothing begins with =. */
static void take_equals(struct parser *p, enum node_kind *kind)
{
	const char *at = p->at;

	if (*kind != NODE_BELOW && *kind != NODE_ABOVE)
		return;
	while (*at == ' ')
		at++;
	if (*at != '=')
		return;
	p->at = at + 1;
	*kind = *kind == NODE_BELOW ? NODE_NOT_ABOVE : NODE_NOT_BELOW;
}

/* That of this level, or of one that binds tighter; NULL: none stands there. */
static const struct operator *take_operator(struct parser *p, unsigned int level,
					    enum node_kind *kind)
{
	const struct operator *o;

	skip_space(p);
	for (o = operators; o < operators + ARRAY_SIZE(operators); o++)
		if (o->text[0] == p->at[0] && (!o->text[1] || o->text[1] == p->at[1]))
			break;
	if (o == operators + ARRAY_SIZE(operators) || o->level < level)
		return NULL;
	p->at += strlen(o->text);
	*kind = o->kind;
	take_equals(p, kind);
	return o;
}

/* What this level's operators and tighter ones connect: those of one level from the left. */
static uint32_t parse_level(struct parser *p, unsigned int level)
{
	struct node node = { .kind = NODE_NUMBER };
	uint32_t left = parse_unary(p);
	unsigned int compared = 0;
	const struct operator *o;

	if (level == LEVELS)
		return left;
	while (!p->err && (o = take_operator(p, level, &node.kind))) {
		if (o->level == LEVEL_COMPARE && compared++)
			return bad(p, "a comparison of a comparison: put one in brackets");
		node.a = left;
		skip_space(p);
		node.from = (size_t)(p->at - p->f->text);
		node.b = parse_level(p, o->level + 1);
		node.to = (size_t)(p->at - p->f->text);
		left = add(p, node);
	}
	return left;
}

static uint32_t parse_if(struct parser *p)
{
	struct node node = { .kind = NODE_IF };
	uint32_t then;

	if (++p->depth > DEPTH_MAX)
		return bad(p, "more than %d brackets, functions and ifs within each other",
			   DEPTH_MAX);
	then = parse_level(p, 0);
	if (!p->err && word(p, "if")) {
		node.a = parse_level(p, 0);
		if (!p->err && !word(p, "else"))
			return unexpected(p, "'else'");
		node.b = then;
		node.c = parse_if(p);
		then = add(p, node);
	}
	p->depth--;
	return then;
}

/* ---- the whole ---------------------------------------------------------------- */

static void parse(struct parser *p)
{
	p->at = p->f->text;
	p->f->root = parse_if(p);
	skip_space(p);
	if (!p->err && *p->at)
		unexpected(p, "an operator");
}

int formula_parse(const char *text, struct formula **formula, struct formula_error *error)
{
	struct parser p = { .f = calloc(1, sizeof(*p.f)), .error = error };

	if (!p.f)
		return -ENOMEM;
	p.f->text = strdup(text);
	if (p.f->text)
		parse(&p);
	else
		p.err = -ENOMEM;
	if (p.err) {
		formula_free(p.f);
		return p.err;
	}
	*formula = p.f;
	return 0;
}

void formula_free(struct formula *formula)
{
	size_t i;

	if (!formula)
		return;
	for (i = 0; i < formula->nr_names; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->nodes);
	free(formula->text);
	free(formula);
}

const char *formula_text(const struct formula *formula)
{
	return formula->text;
}

size_t formula_names(const struct formula *formula)
{
	return formula->nr_names;
}

const char *formula_name(const struct formula *formula, size_t name)
{
	return formula->names[name];
}
