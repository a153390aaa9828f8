/* SPDX-License-Identifier: MIT */
/* roff and bash are made from the tables; the prose around the options is written here. */
#include "cmd/manual.h"

#include <string.h>

#include "cmd/options.h"

/* roff takes a leading dot or quote for a request, a backslash and a dash for escapes. */
static void roff(struct buf *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        buf_puts(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\') {
            buf_puts(out, "\\e");
        } else if (*text == '-') {
            buf_puts(out, "\\-");
        } else {
            buf_putc(out, *text);
        }
    }
}

static void list_commands(unsigned mask, struct buf *out)
{
    const char *comma = "";
    for (size_t i = 0; i < option_command_count; i++) {
        if (!(mask & (unsigned)option_commands[i].bit))
            continue;
        buf_addf(out, "%s%s", comma, option_commands[i].name);
        comma = ", ";
    }
}

static void option_entry(const struct option_row *row, struct buf *out)
{
    buf_puts(out, ".TP\n\\fB");
    if (row->letter)
        buf_addf(out, "\\-%c\\fR, \\fB", row->letter);
    buf_puts(out, "\\-\\-");
    roff(out, row->name);
    buf_puts(out, "\\fR");
    if (row->arg) {
        buf_puts(out, " \\fI");
        roff(out, row->arg);
        buf_puts(out, "\\fR");
    }
    buf_putc(out, '\n');
    struct buf help;
    buf_init(&help, BUF_NO_LIMIT);
    options_help_text(row, &help);
    roff(out, buf_cstr(&help));
    buf_release(&help);
    buf_puts(out, ".\n(");
    list_commands(row->commands, out);
    buf_puts(out, ")\n");
}

static const char HEAD[] = ".TH RENORM 1\n.SH NAME\nrenorm \\- take DynamoDB single\\-table "
                           "designs apart into relational tables\n"
                           ".SH SYNOPSIS\n";

static const char ABOUT[] = ".SH DESCRIPTION\n"
                            "renorm reads the items of a single\\-table design (a live table, "
                            "an export of it, files), tells them apart\n"
                            "by their type attribute or by their keys, and writes "
                            "re\\-normalized rows: tables with keys, foreign keys,\n"
                            "child tables and link tables, as the model file says.\n"
                            "Every item read ends as rows, filtered by a rule, unrouted or "
                            "rejected, and the balance sheet adds up.\n"
                            ".PP\n"
                            "A source is \\fBdynamodb:\\fITABLE\\fR, a file, several, a "
                            "folder, an export folder with its manifests, the same in a "
                            "bucket, \\fBs3://\\fIBUCKET/KEY\\fR, or\n"
                            "\\fB\\-\\fR for standard input; plain, gzip or zstd.\n"
                            "A sink is a folder, or a PostgreSQL URL or conninfo string.\n"
                            ".PP\n"
                            "The way back is \\fBbackfill\\fR: it writes the attributes that "
                            "the model names onto items that are there,\n"
                            "each write under the condition that the item is still as it was "
                            "read. Its state folder holds the progress\n"
                            "and a journal of all old values: the same command goes on after "
                            "a kill, \\fB\\-\\-undo\\fR takes everything back.\n";

/* Those that read files are run by a test. */
static const struct {
    const char *what, *command;
} EXAMPLES[] = {
    {"The tables that a model makes, what its items become, and why one becomes that",
     "renorm check model.json items.jsonl\nrenorm explain model.json items.jsonl --limit 1"},
    {"The tables as a diagram", "renorm check model.json --mermaid"},
    {"Into a folder of JSON lines, and the proof that it holds what the file says",
     "renorm export items.jsonl out -m model.json\nrenorm verify items.jsonl out -m "
     "model.json"},
    {"A live table into PostgreSQL, with at most 500 read units a second; the same command "
     "goes "
     "on after a kill",
     "renorm export dynamodb:shop postgresql://host/db -m model.json --rcu 500 --dry-run\n"
     "renorm export dynamodb:shop postgresql://host/db -m model.json --rcu 500"},
    {"What was rejected, and why; and once more, with a better model",
     "renorm export night.jsonl some -m model.json --max-rejects 5\n"
     "renorm explain model.json some/rejects --rejected --limit 3\n"
     "renorm export some/rejects rest -m better.json"},
    {"A new index: what would be written, then the writing, then everything back",
     "renorm backfill dynamodb:shop -m model.json --dry-run\n"
     "renorm backfill dynamodb:shop -m model.json\n"
     "renorm backfill dynamodb:shop --undo renorm-backfill-shop"}};

static void examples(struct buf *out)
{
    buf_puts(out, ".SH EXAMPLES\n");
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++) {
        buf_puts(out, ".PP\n");
        roff(out, EXAMPLES[i].what);
        buf_puts(out, ":\n.PP\n.in +4n\n.nf\n");
        roff(out, EXAMPLES[i].command);
        buf_puts(out, "\n.fi\n.in\n");
    }
}

static const char TAIL[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nall well\n"
    ".TP\n1\nfinished, but with more rejects or unrouted items than allowed, or a difference "
    "found\n"
    ".TP\n2\nusage or model error, before anything was touched\n"
    ".TP\n3\nstopped by an error that a re\\-run may cure; the run can be resumed\n"
    ".TP\n4\nstopped by an error that a re\\-run will not cure\n"
    ".TP\n130\ninterrupted; the run can be resumed\n"
    ".PP\nSIGINT and SIGTERM finish the page, commit and stop; another one, a second or more "
    "after the first, ends the process at once. What was committed stays.\n"
    ".SH LOG\n"
    "With \\fB\\-\\-log json\\fR every line of standard error is an event: an object with "
    "\\fBevent\\fR, its name, and\n"
    "\\fBtime\\fR. The names, and what else they have:\n"
    ".TP\n\\fBstart\\fR\ncommand, version, model, source, sink\n"
    ".TP\n\\fBphase\\fR\nphase: what is done while nothing is read\n"
    ".TP\n\\fBprogress\\fR\nevery ten seconds: seconds, items, items_per_second, segments, "
    "done (0 to 1), and what is counted\n"
    ".TP\n\\fBwarning\\fR\nmessage: what to know, though the command goes on\n"
    ".TP\n\\fBerror\\fR\nmessage; of the one that the command ends with also exit_status\n"
    ".TP\n\\fBend\\fR\nexit_status, seconds\n"
    ".PP\nWith \\fB\\-\\-quiet\\fR there are errors only, and warnings that a quiet run has, "
    "too.\n"
    ".SH ENVIRONMENT\n"
    ".TP\nRENORM_MASK_KEY\nthe key of the mask stage, where no file is given\n"
    ".TP\nAWS_*\ncredentials, region, endpoint and proxies, as the AWS tools read them\n"
    ".TP\nPG*\nconnection parameters, as libpq reads them\n"
    ".SH FILES\n"
    ".TP\nOUT/manifest.json\ntables with columns, rows and files; written last\n"
    ".TP\nOUT/TABLE/part\\-*.jsonl.zst\nrows, one JSON object a line\n"
    ".TP\nOUT/rejects/, OUT/unrouted/\nitems that became no rows, with the reason and the "
    "place; "
    "they can be read as a source\n"
    ".TP\nOUT/.renorm/\nthe run under way, or cut short\n"
    ".PP\n"
    "Rejected and unrouted items are kept whole, and so hold what \\fBmask\\fR hides: their "
    "files have mode 0600,\n"
    "their tables no grants.\n"
    "The journal of a backfill holds values of items; its folder is the owner's alone.\n";

void manual_page(struct buf *out)
{
    buf_puts(out, HEAD);
    for (size_t i = 0; i < option_command_count; i++) {
        buf_addf(out, "%s\\fBrenorm %s\\fR ", i ? ".br\n" : "", option_commands[i].name);
        roff(out, option_commands[i].synopsis);
        buf_putc(out, '\n');
    }
    buf_puts(out, ABOUT);
    buf_puts(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < option_command_count; i++) {
        buf_addf(out, ".TP\n\\fB%s\\fR\n", option_commands[i].name);
        roff(out, option_commands[i].help);
        buf_puts(out, ".\n");
    }
    const char *group = NULL;
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].group != group)
            buf_addf(out, "%s.SS %s\n", group ? "" : ".SH OPTIONS\n", option_table[i].group);
        group = option_table[i].group;
        option_entry(&option_table[i], out);
    }
    examples(out);
    buf_puts(out, TAIL);
}

void manual_completion(struct buf *out)
{
    buf_puts(out, "_renorm() {\n    local cur=${COMP_WORDS[COMP_CWORD]} words=\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    for (size_t i = 0; i < option_command_count; i++)
        buf_addf(out, "%s%s", i ? " " : "", option_commands[i].name);
    buf_puts(out, "\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < option_command_count; i++) {
        buf_addf(out, "        %s) words=\"", option_commands[i].name);
        const char *space = "";
        for (size_t k = 0; k < option_count; k++) {
            if (!(option_table[k].commands & (unsigned)option_commands[i].bit))
                continue;
            buf_addf(out, "%s--%s", space, option_table[k].name);
            space = " ";
        }
        buf_puts(out, "\" ;;\n");
    }
    buf_puts(out, "        esac\n    fi\n"
                  "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; [[ $cur == "
                  "-* ]] || compgen -f -- \"$cur\")\n"
                  "}\ncomplete -o filenames -F _renorm renorm\n");
}
