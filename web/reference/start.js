// Renders the reference from the description that bff serves. The scheme is chosen by theme.js, as for every other page.
(function () {
  const root = document.documentElement;

  const FONT = "'Hanken Grotesk Variable', system-ui, sans-serif";

  // Those of the product's default theme.
  const LIGHT = {
    page: '#ffffff',
    side: '#f5f7f7',
    panel: '#171c1b',
    line: '#e6ebe9',
    ink: '#171c1a',
    text: '#38423f',
    soft: '#5b6b67',
    accent: '#186752',
    good: '#276842',
    bad: '#ae2932',
  };
  const DARK = {
    page: '#171c1b',
    side: '#111514',
    panel: '#0d1110',
    line: '#272f2d',
    ink: '#f1f3f3',
    text: '#c6cdcb',
    soft: '#9aa7a4',
    accent: '#67c1a9',
    good: '#77c598',
    bad: '#e28389',
  };

  const themeOf = ({ page, side, panel, line, ink, text, soft, accent, good, bad }) => ({
    colors: {
      primary: { main: accent },
      success: { main: good },
      error: { main: bad },
      text: { primary: ink, secondary: soft },
      border: { dark: line, light: line },
      responses: {
        success: { color: good, backgroundColor: side, tabTextColor: DARK.good },
        error: { color: bad, backgroundColor: side, tabTextColor: DARK.bad },
        redirect: { color: soft, backgroundColor: side, tabTextColor: '#e3b463' },
        info: { color: soft, backgroundColor: side, tabTextColor: DARK.accent },
      },
    },
    schema: {
      linesColor: line,
      defaultDetailsWidth: '75%',
      typeNameColor: text, // Redoc makes its prefixes paler
      typeTitleColor: soft,
      requireLabelColor: bad,
      nestedBackground: side,
      arrow: { color: soft },
    },
    sidebar: { width: '16rem', backgroundColor: side, textColor: ink, activeTextColor: accent },
    rightPanel: { backgroundColor: panel, textColor: DARK.ink },
    codeBlock: { backgroundColor: DARK.side },
    typography: {
      fontFamily: FONT,
      headings: { fontFamily: FONT, fontWeight: '600' },
      code: { fontFamily: 'ui-monospace, monospace', color: ink, backgroundColor: side, wrap: true },
      links: { color: accent, visited: accent, hover: accent },
    },
    fab: { backgroundColor: page, color: ink },
  });

  const scrollToCode = () => {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  };

  const render = () => {
    const theme = themeOf(root.dataset.theme === 'dark' ? DARK : LIGHT);
    const options = {
      theme,
      disableSearch: true, // its worker would need a wider content security policy
      sanitize: true,
      requiredPropsFirst: true,
      expandResponses: '200,201',
    };
    Redoc.init('/api/v1/openapi.json', options, document.getElementById('reference'), scrollToCode);
  };

  addEventListener('hashchange', scrollToCode);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => location.reload());
  render();
})();
