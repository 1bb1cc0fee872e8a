// Exits with 1 if this Node is too old for Vite.
const [major, minor] = process.versions.node.split('.').map(Number);
process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);
