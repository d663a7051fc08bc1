#include <iostream>

#include <percuss/percuss.h>

int main(int, char** argv) {
  const percuss::Scene scene = percuss::load_scene(argv[1]);
  percuss::Simulation simulation(scene.model, scene.run);
  while (!simulation.finished()) simulation.step();
  percuss::run_to_file(scene, argv[2]);
  const percuss::ResultsReader results(argv[2]);
  if (results.column("height").back() != simulation.probe("contact(ball, floor).gap")) return 1;
  std::cout << "height " << simulation.probe("ball.position.z") << " m at " << simulation.time() << " s\n";
}
