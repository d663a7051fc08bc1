#include <iostream>

#include <percuss/percuss.h>

int main(int, char** argv) {
  const percuss::Scene scene = percuss::load_scene(argv[1]);
  percuss::Simulation simulation(scene.model, scene.run);
  while (!simulation.finished()) simulation.step();
  std::cout << "height " << simulation.probe("ball.position.z") << " m at " << simulation.time() << " s\n";
}
