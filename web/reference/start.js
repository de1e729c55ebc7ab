// Renders the reference from the description that bff serves. The scheme is chosen by theme.js, as for every other page.
(function () {
  const root = document.documentElement;

  const LIGHT = {
    page: '#ffffff',
    side: '#f5f6f7',
    panel: '#22262b',
    line: '#e6e8ea',
    ink: '#17191c',
    soft: '#5a6068',
    accent: '#1a52a8',
    good: '#276b42',
    bad: '#ae2b35',
  };
  const DARK = {
    page: '#17191c',
    side: '#111315',
    panel: '#0d0f11',
    line: '#2a2e33',
    ink: '#eff1f3',
    soft: '#a3a9b0',
    accent: '#8fb8f5',
    good: '#7cc596',
    bad: '#f19aa1',
  };

  const themeOf = ({ page, side, panel, line, ink, soft, accent, good, bad }) => ({
    colors: {
      primary: { main: accent },
      success: { main: good },
      error: { main: bad },
      text: { primary: ink, secondary: soft },
      border: { dark: line, light: line },
      responses: {
        success: { color: good, backgroundColor: side, tabTextColor: '#7cc596' },
        error: { color: bad, backgroundColor: side, tabTextColor: '#f19aa1' },
        redirect: { color: soft, backgroundColor: side, tabTextColor: '#d9b65c' },
        info: { color: soft, backgroundColor: side, tabTextColor: '#8fb8f5' },
      },
    },
    schema: {
      linesColor: line,
      defaultDetailsWidth: '75%',
      typeNameColor: soft,
      typeTitleColor: soft,
      requireLabelColor: bad,
      nestedBackground: side,
      arrow: { color: soft },
    },
    sidebar: { width: '16rem', backgroundColor: side, textColor: ink, activeTextColor: accent },
    rightPanel: { backgroundColor: panel, textColor: '#eff1f3' },
    codeBlock: { backgroundColor: '#111315' },
    typography: {
      fontFamily: 'system-ui, sans-serif',
      headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '600' },
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
