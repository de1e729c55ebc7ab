// The lint rules of this code base, beside those of ESLint's packages.
import { basename, relative, sep } from 'node:path';

const FORBIDDEN_NAMES = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'shared',
  'types',
  'index',
  'service',
  'manager',
  'base',
];
/** The one file that describes services as such. */
const NAMED_SERVICE = 'packages/kit/src/service.ts';
const KEBAB = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.(rules|entity|test|spec|config|d))*(\.(ts|tsx|js|cjs))?$/;

const fileName = {
  meta: { schema: [] },
  create: (context) => ({
    Program: (node) => {
      const path = relative(context.cwd, context.filename).split(sep);
      const odd = path.filter((part) => !part.startsWith('..')).find((part) => !KEBAB.test(part));
      if (odd !== undefined) context.report({ node, message: `'${odd}' is not in kebab-case` });
      const stem = basename(context.filename).split('.')[0];
      if (FORBIDDEN_NAMES.includes(stem) && path.join('/') !== NAMED_SERVICE)
        context.report({ node, message: `'${stem}' is too general: name the file after its content` });
    },
  }),
};

/** A rule with a name of its own, so that it can be switched and suppressed by that name. */
const forbid = (selectors, message) => ({
  meta: { schema: [] },
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

/** Attributes of our components and of HTML that a person reads or a screen reader reads out. */
const TEXT_ATTRIBUTE =
  /^(action|alt|aria-label|description|emptyLabel|errorTitle|fallback|help|hint|label|placeholder|reassurance|subject|summary|text|title)$/;
/** Starts like a sentence or a label: `Last payment date`, `Premium`; not a key's name, a class or an address. */
const SENTENCE = /^\s*[A-Z][a-z]+([\s,.:…’'].*)?$/s;
const KEY_NAMES = /^(Enter|Escape|Tab|Home|End|Delete|Backspace|Space|Error)$/;

const isText = (text) => SENTENCE.test(text) && !KEY_NAMES.test(text.trim()) && !text.startsWith('Bearer ');

/** Refuses texts outside the message catalogue (web/src/messages), where each area's texts are read and translated as a whole. */
const catalogueTexts = {
  meta: { schema: [] },
  create: (context) => {
    const message = 'a text that a person reads: put it into the catalogue of its area, web/src/messages';
    const isAttribute = ({ type, name }) => type === 'JSXAttribute' && TEXT_ATTRIBUTE.test(name.name);
    const isThrown = (node) => node.type === 'NewExpression' && /Error$/.test(node.callee.name ?? '');
    const check = (node, text) => {
      const { parent } = node;
      const holder = parent.type === 'JSXExpressionContainer' ? parent.parent : parent;
      const isRead = isAttribute(holder) ? /[A-Za-z]{2}/.test(text) : isText(text);
      if (isRead && !isThrown(parent)) context.report({ node, message });
    };
    return {
      JSXText: (node) => /[A-Za-z]{2}/.test(node.value) && context.report({ node, message }),
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.raw).join('x')),
    };
  },
};

export const house = {
  rules: {
    'catalogue-texts': catalogueTexts,
    'file-name': fileName,
    'no-default-export': forbid(['ExportDefaultDeclaration'], 'export it by name'),
    'no-export-all': forbid(['ExportAllDeclaration'], 'no barrel files: export names explicitly'),
    'no-env': forbid(
      [
        "MemberExpression[object.name='process'][property.name='env']",
        "VariableDeclarator[init.name='process'] Property[key.name='env']",
        "ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name='env']",
      ],
      'the environment is read in config.ts and in entry files only',
    ),
    'no-raw-query': forbid(
      ["CallExpression[callee.property.name='query'][callee.object.type=/^(Identifier|MemberExpression)$/]"],
      'statements go through TypeORM’s builders, or through kit/src/data/sql.ts, which states the row type',
    ),
    'no-now': forbid(
      [
        "CallExpression[callee.object.name='Date'][callee.property.name='now']",
        "NewExpression[callee.name='Date'][arguments.length=0]",
      ],
      'time is an argument (a clock); only entry files read the machine’s clock',
    ),
  },
};
