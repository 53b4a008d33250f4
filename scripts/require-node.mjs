/** Stops a script early and clearly on a Node that is too old. Plain JavaScript, because an old Node must be able to read it. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `The scripts of this repository need Node 22.18 or newer, and this is ${process.versions.node}. "npm ci" brings Node 24 along.`,
  );
  process.exit(1);
}
