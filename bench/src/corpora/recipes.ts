/** What a corpus is made of: published packages, each at one version, and the ignore files of the tree. */
export interface CorpusRecipe {
  readonly packages: readonly string[];
  /** Path of an ignore file → its text. */
  readonly ignoreFiles: Readonly<Record<string, string>>;
}

export const corpusNames = ["small", "medium", "large"] as const;

export type CorpusName = (typeof corpusNames)[number];

const common = ["lodash@4.17.21", "rxjs@7.8.1", "three@0.160.0", "typescript@5.4.5", "firebase@10.7.1"] as const;

/** Rules of every kind: names, extensions, anchored, directories only, negated, double stars, sets. */
const rootRules = "# what a build leaves\nnode_modules/\n/coverage/\n*.log\n*.tsbuildinfo\n*.min.js\n!typescript/**/*.min.js\n**/__tests__/fixtures\n.cache\n*.py[co]\n\\#*\n";
const packageRules = {
  "lodash/.gitignore": "/fp/*.json\n_base[A-C]*.js\n!_baseAt.js\n",
  "rxjs/.gitignore": "/dist/bundles/\n*.map\n!/dist/types/**/*.map\n",
  "three/.gitignore": "/examples/fonts/\n*.ttf\n",
} as const;

/** Small: about 250 files are searched. Medium: about 6,000, 90 MB. Large: more than 60,000, 500 MB. */
export const recipes: Readonly<Record<CorpusName, CorpusRecipe>> = {
  small: { packages: ["ajv@8.17.1"], ignoreFiles: { ".gitignore": "*.map\nnode_modules/\n", "ajv/.gitignore": "/dist/**/*.d.ts\n" } },
  medium: { packages: common, ignoreFiles: { ".gitignore": rootRules, ...packageRules } },
  large: {
    packages: [
      ...common,
      "antd@5.12.8",
      "aws-sdk@2.1540.0",
      "core-js@3.35.0",
      "date-fns@2.30.0",
      "echarts@5.4.3",
      "googleapis@131.0.0",
      "monaco-editor@0.45.0",
      "next@14.1.0",
      "@mui/icons-material@5.15.4",
      "zod@3.22.4",
    ],
    ignoreFiles: {
      ".gitignore": rootRules,
      ...packageRules,
      "@mui/icons-material/.gitignore": "/node/*Sharp.js\n",
      "next/.gitignore": "/dist/compiled/**/LICENSE\n!/dist/compiled/webpack/LICENSE\n",
      "date-fns/.gitignore": "*.flow\n/docs/\n",
    },
  },
};
